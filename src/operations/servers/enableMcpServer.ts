import { z } from 'zod';
import { changeServer } from './changeServer.js';
import { operation } from '../operation.js';
import { workspaceId } from '../words.js';

/** Uses a server again. */
export const enableMcpServer = operation({
  name: 'enableMcpServer',
  reach: 'owner',
  input: z.object({ name: z.string(), workspace: workspaceId }),
  output: z.object({ changed: z.boolean() }),
  async run(services, input, invocation) {
    const { changed } = await changeServer(services, input, 'Enable', invocation);
    return { changed };
  },
});
