import type { Origin } from '../../../../commands/commandHandler.js';
import type { Revocation } from '../../../../mcp/client/grants/revokeGrant.js';
import type { OwnerServices } from '../../../services.js';

/**
 * Revokes the account of a server, as far as that is possible, and takes it out of the vault. On record.
 * @returns null when there was none
 */
export async function endGrant({ signIns, secrets }: Pick<OwnerServices, 'secrets'> & { readonly signIns: Pick<OwnerServices['signIns'], 'grants'> }, serverId: string, reason: string, origin: Origin): Promise<Revocation | null> {
  const stored = await secrets.get(serverId);
  return signIns.grants.end({ serverId, workspace: origin.workspace, url: stored?.url ?? null }, reason, origin);
}
