import { mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import type { McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import type { Invocation } from '../../operation.js';
import { originOf } from '../../origin.js';
import { refusedFault } from '../../refusedFault.js';
import { serverNamed } from '../serverNamed.js';
import type { OwnerServices } from '../../services.js';

/**
 * Records one wish about a server, by name.
 * @returns the server as it was, and whether anything changed
 * @throws Fault with the code of the decider's refusal
 */
export async function changeServer(
  services: OwnerServices,
  { workspace, name }: { readonly workspace: string; readonly name: string },
  type: 'Enable' | 'Disable' | 'Remove',
  { caller }: Invocation,
): Promise<{ readonly server: McpServer; readonly changed: boolean }> {
  const server = await serverNamed(services, workspace, name);
  const outcome = await services.handler.execute(
    mcpServersDecider,
    mcpServersStream(workspace),
    [{ type, serverId: server.serverId }],
    originOf(caller, workspace),
  );
  if (outcome.kind === 'refused') throw refusedFault(outcome.refusal, { workspace, name });
  return { server, changed: outcome.kind === 'recorded' };
}
