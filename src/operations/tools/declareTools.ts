import { z } from 'zod';
import type { JsonObject } from '../../platform/json.js';
import { operation } from '../operation.js';
import { workspaceId } from '../words.js';

/** The tools a workspace may use right now, as they are declared to a model or an MCP client. */
export const declareTools = operation({
  name: 'declareTools',
  reach: 'owner',
  input: z.object({ workspace: workspaceId }),
  output: z.object({
    tools: z.array(
      z.object({ name: z.string(), title: z.string().nullable(), description: z.string(), inputSchema: z.custom<JsonObject>() }),
    ),
  }),
  async run({ dispatch }, { workspace }) {
    const { tools } = await dispatch.declare(workspace);
    return { tools: tools.flatMap(({ available, declared }) => (available && declared !== null ? [{ ...declared }] : [])) };
  },
});
