import { systemOrigin } from '../../../../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../../commands/mcpServers/mcpServersState.js';
import type { OwnerServices } from '../../../services.js';
import { endGrant } from './endGrant.js';

type Parts = Pick<OwnerServices, 'handler' | 'secrets'> & { readonly signIns: Pick<OwnerServices['signIns'], 'stored' | 'grants'> };

/** Finishes, at a start, the removal of servers that a process that is gone had recorded: nobody else knows their accounts. */
export async function endLeftGrants({ handler, signIns, secrets }: Parts): Promise<void> {
  for (const serverId of await signIns.stored.all()) {
    const workspace = (await signIns.stored.read(serverId))?.grant.workspace;
    if (workspace === undefined || serverById((await handler.load(mcpServersDecider, mcpServersStream(workspace))).state, serverId) !== undefined) continue;
    await endGrant({ signIns, secrets }, serverId, 'removed', systemOrigin(workspace));
    await secrets.delete(serverId);
  }
}
