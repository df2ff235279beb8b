import type { Ending } from '../../../../mcp/client/grants/heldAccount.js';
import type { Revocation } from '../../../../mcp/client/grants/revokeGrant.js';
import type { OwnerServices } from '../../../services.js';

type Parts = Pick<OwnerServices, 'secrets'> & { readonly signIns: Pick<OwnerServices['signIns'], 'grants'> };

/**
 * Revokes the account of a server, as far as that is possible, and takes it out of the vault, on record. A sign-in that
 * completes meanwhile waits for that, and for what comes in its place.
 * @returns null when there was none
 * @throws Fault `account_busy`; the reason of the signal
 */
export async function endGrant({ signIns, secrets }: Parts, serverId: string, ending: Ending): Promise<Revocation | null> {
  return signIns.grants.alone(serverId, async (held) => {
    const stored = await secrets.get(serverId);
    return held.end({ serverId, workspace: ending.origin.workspace, url: stored?.url ?? null }, ending);
  });
}
