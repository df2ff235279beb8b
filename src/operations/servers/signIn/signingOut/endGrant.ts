import type { Origin } from '../../../../commands/commandHandler.js';
import type { Revocation } from '../../../../mcp/client/grants/revokeGrant.js';
import type { OwnerServices } from '../../../services.js';

type Parts = Pick<OwnerServices, 'secrets'> & { readonly signIns: Pick<OwnerServices['signIns'], 'grants'> };

/**
 * Revokes the account of a server, as far as that is possible, and takes it out of the vault. On record.
 * @param next what comes in its place; a sign-in that completes meanwhile waits for that
 * @returns null when there was none
 */
export async function endGrant({ signIns, secrets }: Parts, serverId: string, reason: string, origin: Origin, next: (ended: Revocation | null) => Promise<void> = async () => undefined): Promise<Revocation | null> {
  return signIns.grants.alone(serverId, async (held) => {
    const stored = await secrets.get(serverId);
    const ended = await held.end({ serverId, workspace: origin.workspace, url: stored?.url ?? null }, reason, origin);
    await next(ended);
    return ended;
  });
}
