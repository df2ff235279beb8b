import { systemOrigin } from '../../../../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../../commands/mcpServers/mcpServersState.js';
import type { OwnerServices } from '../../../services.js';
import { endGrant } from './endGrant.js';

type Parts = Pick<OwnerServices, 'handler' | 'secrets'> & { readonly signIns: Pick<OwnerServices['signIns'], 'stored' | 'grants'> };

/**
 * Takes accounts out of the vault that nobody uses: of servers whose removal a process that is gone had recorded, and those
 * that are not the ones on record, because the ledger or the keys were put back from a backup.
 */
export async function endStrayGrants({ handler, signIns, secrets }: Parts): Promise<void> {
  for (const serverId of await signIns.stored.all()) {
    const workspace = (await signIns.stored.read(serverId))?.grant.workspace;
    if (workspace === undefined || serverById((await handler.load(mcpServersDecider, mcpServersStream(workspace))).state, serverId) !== undefined) continue;
    await endGrant({ signIns, secrets }, serverId, 'removed', systemOrigin(workspace));
    await secrets.delete(serverId);
  }
  await signIns.grants.endUnrecorded();
}
