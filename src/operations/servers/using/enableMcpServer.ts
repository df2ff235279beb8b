import { z } from 'zod';
import type { Origin } from '../../../commands/commandHandler.js';
import { foundWaiting, mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import type { McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import { accountReach } from '../../../commands/mcpSignIn/narrowAccount.js';
import { missingAccount } from '../../../commands/mcpSignIn/mcpSignInState.js';
import { originOf } from '../../origin.js';
import type { OwnerServices } from '../../services.js';
import { changeServer } from './changeServer.js';
import { workspaceId } from '../../words.js';
import { refuseClosed } from '../../workspaces/requireOpen.js';
import { standingThen } from '../replay/standingThen.js';
import { serverNamed } from '../serverNamed.js';
import { serverOperation } from '../serverOperation.js';

/** An account that was signed out of, or lapsed, while the server was disabled is waited for, as if that had been found out now. */
async function waitForAccount({ handler, clock }: Pick<OwnerServices, 'handler' | 'clock'>, { serverId, credential }: McpServer, origin: Origin): Promise<void> {
  const { state } = await handler.load(mcpSignInDecider, mcpSignInStream(serverId));
  const missing = missingAccount(state, credential);
  if (missing === null) return;
  const stream = mcpServersStream(origin.workspace);
  const folded = await handler.load(mcpServersDecider, stream);
  await handler.execute(mcpServersDecider, stream, [foundWaiting(serverId, missing, folded, clock.now())], origin);
}

/** Uses a server again, and says what else keeps it out of use: one that is parked or left alone is enabled all the same. */
export const enableMcpServer = serverOperation({
  name: 'enableMcpServer',
  reach: 'owner',
  input: z.object({ name: z.string(), workspace: workspaceId }),
  output: z.object({ changed: z.boolean(), state: z.string(), standing: z.string().nullable() }),
  async run(services, input, invocation) {
    await refuseClosed(services.handler, input.workspace);
    const { clock } = services;
    const { server, changed } = await changeServer(services, input, 'Enable', invocation);
    if (changed) await waitForAccount(services, server, originOf(invocation.caller, input.workspace));
    const account = await services.handler.load(mcpSignInDecider, mcpSignInStream(server.serverId));
    const { state, text } = standingThen(await serverNamed(services, input.workspace, input.name), clock.now(), clock.now(), input.workspace, accountReach(account.state));
    return { changed, state, standing: text };
  },
});
