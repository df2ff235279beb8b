import { z } from 'zod';
import { declareTools } from '../../tools/availability.js';
import { anybody, makeWorld } from '../../tools/availability/world.js';
import { factsFromViews } from '../../tools/workspaceFacts.js';
import { operation } from '../operation.js';
import { serversSeen } from '../servers/serversSeen.js';
import { listedTool, shownTool } from './listedTool.js';
import { workspaceId } from '../words.js';
import { requireOpened } from '../workspaces/requireOpened.js';

/** The tools of a workspace as its registry view shows them, judged by the same layers that judge a call. */
export const listTools = operation({
  name: 'listTools',
  reach: 'views',
  input: z.object({
    workspace: workspaceId,
    /** Also those it may not use, with every reason. */
    explain: z.boolean().default(false),
  }),
  output: z.object({
    workspace: z.string(),
    tools: z.array(listedTool),
  }),
  async run(services, { workspace, explain }, { caller }) {
    const { views, registry, definitionPolicy, clock } = services;
    const [view, servers] = await Promise.all([views.query('toolRegistry', { workspace }), serversSeen(services, workspace)]);
    requireOpened(workspace, view.state);
    const texts = new Map(view.servers.flatMap(({ tools }) => tools ?? []).map((tool) => [tool.definition, tool.text]));
    const world = makeWorld(factsFromViews(view, servers, clock.now()), registry, definitionPolicy, { ...anybody, subject: caller.onBehalfOf ?? caller.actor });
    const verdicts = declareTools(world, registry, (definition) => texts.get(definition) ?? null);
    return { workspace, tools: verdicts.filter(({ available }) => available || explain).map((verdict) => shownTool(verdict, world)) };
  },
});
