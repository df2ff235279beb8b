import { z } from 'zod';
import { originOf } from '../../origin.js';
import { endGrant } from '../signIn/signingOut/endGrant.js';
import { endSignIns } from '../signIn/ending/endSignIns.js';
import { changeServer } from '../using/changeServer.js';
import { workspaceId } from '../../words.js';
import { serverOperation } from '../serverOperation.js';

/** Forgets a server and its credential. Recorded first, then disconnected. */
export const removeMcpServer = serverOperation({
  name: 'removeMcpServer',
  reach: 'owner',
  input: z.object({ name: z.string(), workspace: workspaceId }),
  output: z.object({ changed: z.boolean() }),
  async run(services, input, invocation) {
    const { server, changed } = await changeServer(services, input, 'Remove', invocation);
    await services.remote.disconnect(server.serverId);
    await endSignIns(services, ({ serverId }) => serverId === server.serverId, 'server_removed', 'The server was removed before anybody signed in.');
    await endGrant(services, server.serverId, { reason: 'removed', origin: originOf(invocation.caller, input.workspace) });
    await services.secrets.delete(server.serverId);
    return { changed };
  },
});
