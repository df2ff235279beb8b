import { systemOrigin } from '../../../../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../../commands/mcpServers/mcpServersState.js';
import type { OwnerServices } from '../../../services.js';
import { endGrant } from './endGrant.js';

type Parts = Pick<OwnerServices, 'handler' | 'secrets'> & { readonly signIns: Pick<OwnerServices['signIns'], 'stored' | 'grants'> };

/**
 * Takes accounts out of the vault that nobody uses: of servers whose removal a process that is gone had recorded, and those
 * that are not the ones on record, because the ledger or the keys were put back from a backup, or a process died.
 * @param signal gives it up; the next start does the rest
 */
export async function endStrayGrants(parts: Parts, signal: AbortSignal): Promise<void> {
  await Promise.all((await parts.signIns.stored.all()).map((serverId) => endOfRemoved(parts, serverId, signal)));
  await parts.signIns.grants.endUnrecorded(signal);
}

async function endOfRemoved({ handler, signIns, secrets }: Parts, serverId: string, signal: AbortSignal): Promise<void> {
  const workspace = (await signIns.stored.read(serverId))?.grant.workspace;
  if (workspace === undefined || serverById((await handler.load(mcpServersDecider, mcpServersStream(workspace))).state, serverId) !== undefined) return;
  await endGrant({ signIns, secrets }, serverId, { reason: 'removed', origin: systemOrigin(workspace), signal });
  await secrets.delete(serverId);
}
