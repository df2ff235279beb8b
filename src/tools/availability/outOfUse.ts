import { isNarrow, type AccountReach } from '../../commands/mcpSignIn/narrowAccount.js';
import type { ServerStanding } from '../../projections/mcpServers/queries.js';
import type { OutOfUse } from './facts.js';

/** How a server stands, where it was looked whether the vault has what it takes to reach it. */
export interface SeenStanding extends ServerStanding {
  /** What is on record and not in the vault, `tokens` being those of an account; null: nothing is missing. */
  readonly lost: 'address' | 'token' | 'tokens' | null;
  /** The account its tools are used with; left out where it was not looked at. */
  readonly grant?: AccountReach | null;
}

/**
 * Why a server is not dialled at this moment. A parked server stays out also while its daily look is due, until that
 * look succeeds.
 * @param isEnabled whether an admin wants it used
 * @param now milliseconds since the epoch
 * @returns null when it may be dialled, or an admin disabled it
 */
export function outOfUse(server: ServerStanding & Partial<SeenStanding>, isEnabled: boolean, now: number): OutOfUse | null {
  const { autoDisabled, credential, lost = null, grant = null, connection: { parked, streak, waitUntil } } = server;
  if (autoDisabled !== null) return { reason: 'server_auto_disabled', until: null };
  if (credential === 'deleted') return { reason: 'server_credential_deleted', until: null };
  if (lost === 'address') return { reason: 'server_address_missing', until: null };
  if (!isEnabled) return null;
  if (lost !== null) return { reason: lost === 'token' ? 'server_token_missing' : 'server_tokens_missing', until: null };
  if (parked !== null) return { reason: `server_${parked.reason}`, until: null, ...(parked.reason === 'needs_reauthorization' && grant !== null && isNarrow(grant) && { narrow: grant }) };
  if (waitUntil === null || waitUntil <= now) return null;
  return { reason: streak === null ? 'server_rate_limited' : 'server_quarantined', until: waitUntil };
}
