import { z } from 'zod';
import type { JsonObject } from '../../platform/json.js';
import { anybody } from '../../tools/availability/world.js';
import { recordDeclaration } from '../../tools/recordDeclaration.js';
import { toldDescription } from '../../tools/thirdParty.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import { workspaceId } from '../words.js';

/** The tools a workspace may use right now, as they are declared to a model or an MCP client; what is shown is recorded first. */
export const declareTools = operation({
  name: 'declareTools',
  reach: 'owner',
  input: z.object({
    workspace: workspaceId,
    /** The turn it is shown in, or what stands for a client that calls without turns. */
    turn: z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/),
  }),
  output: z.object({
    tools: z.array(
      z.object({ name: z.string(), title: z.string().nullable(), description: z.string(), inputSchema: z.custom<JsonObject>(), thirdParty: z.string().nullable() }),
    ),
  }),
  async run({ dispatch, handler }, { workspace, turn }, { caller, signal }) {
    await dispatch.gather(workspace, signal);
    const declaration = await dispatch.declare(workspace, { ...anybody, subject: caller.onBehalfOf ?? caller.actor });
    await recordDeclaration(handler, declaration, turn, { ...originOf(caller, workspace), correlation: turn });
    const { tools } = declaration;
    return { tools: tools.flatMap(({ available, declared }) => (available && declared !== null ? [{ ...declared, description: toldDescription(declared) }] : [])) };
  },
});
