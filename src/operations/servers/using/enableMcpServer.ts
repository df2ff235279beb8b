import { z } from 'zod';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import { accountReach } from '../../../commands/mcpSignIn/narrowAccount.js';
import { changeServer } from './changeServer.js';
import { workspaceId } from '../../words.js';
import { refuseClosed } from '../../workspaces/requireOpen.js';
import { standingThen } from '../replay/standingThen.js';
import { serverNamed } from '../serverNamed.js';
import { serverOperation } from '../serverOperation.js';

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
    const account = await services.handler.load(mcpSignInDecider, mcpSignInStream(server.serverId));
    const { state, text } = standingThen(await serverNamed(services, input.workspace, input.name), clock.now(), clock.now(), input.workspace, accountReach(account.state));
    return { changed, state, standing: text };
  },
});
