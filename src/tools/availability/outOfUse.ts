import type { ServerStanding } from '../../projections/mcpServers/queries.js';
import type { OutOfUse } from './facts.js';

/**
 * Why a server is not dialled at this moment. A parked server stays out also while its daily look is due, until that
 * look succeeds.
 * @param now milliseconds since the epoch
 * @returns null when it may be dialled, or an admin disabled it
 */
export function outOfUse(server: ServerStanding, now: number): OutOfUse | null {
  const { autoDisabled, credential, connection: { parked, streak, waitUntil } } = server;
  if (autoDisabled !== null) return { reason: 'server_auto_disabled', until: null };
  if (credential === 'deleted') return { reason: 'server_credential_deleted', until: null };
  if (parked !== null) return { reason: `server_${parked.reason}`, until: null };
  if (waitUntil === null || waitUntil <= now) return null;
  return { reason: streak === null ? 'server_rate_limited' : 'server_quarantined', until: waitUntil };
}
