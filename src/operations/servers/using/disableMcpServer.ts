import { z } from 'zod';
import { changeServer } from './changeServer.js';
import { workspaceId } from '../../words.js';
import { serverOperation } from '../serverOperation.js';

/** Stops using a server and keeps its registration. Recorded first, then disconnected. */
export const disableMcpServer = serverOperation({
  name: 'disableMcpServer',
  reach: 'owner',
  input: z.object({ name: z.string(), workspace: workspaceId }),
  output: z.object({ changed: z.boolean() }),
  async run(services, input, invocation) {
    const { server, changed } = await changeServer(services, input, 'Disable', invocation);
    await services.remote.disconnect(server.serverId);
    return { changed };
  },
});
