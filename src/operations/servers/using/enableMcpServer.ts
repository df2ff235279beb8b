import { z } from 'zod';
import { changeServer } from './changeServer.js';
import { workspaceId } from '../../words.js';
import { serverOperation } from '../serverOperation.js';

/** Uses a server again. */
export const enableMcpServer = serverOperation({
  name: 'enableMcpServer',
  reach: 'owner',
  input: z.object({ name: z.string(), workspace: workspaceId }),
  output: z.object({ changed: z.boolean() }),
  async run(services, input, invocation) {
    const { changed } = await changeServer(services, input, 'Enable', invocation);
    return { changed };
  },
});
