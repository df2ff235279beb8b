import { z } from 'zod';
import { declareTools } from '../../tools/availability.js';
import { completeCommands } from '../../tools/availability/completeCommands.js';
import { reasonText } from '../../tools/availability/reasons.js';
import { anybody, makeWorld } from '../../tools/availability/world.js';
import { factsFromViews } from '../../tools/workspaceFacts.js';
import { operation } from '../operation.js';
import { serversSeen, type SeenServer } from '../servers/serversSeen.js';
import { standingOf } from '../servers/standingText.js';
import { listedTool, shownTool } from './listedTool.js';
import { undiscoveredServer } from './undiscoveredServer.js';
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
    /** With `explain` only. */
    undiscovered: z.array(undiscoveredServer),
  }),
  async run(services, { workspace, explain }, { caller }) {
    const { views, registry, definitionPolicy, clock } = services;
    const [view, servers] = await Promise.all([views.query('toolRegistry', { workspace }), serversSeen(services, workspace)]);
    requireOpened(workspace, view.state);
    const texts = new Map(view.servers.flatMap(({ tools }) => tools ?? []).map((tool) => [tool.definition, tool.text]));
    const world = makeWorld(factsFromViews(view, servers, clock.now()), registry, definitionPolicy, { ...anybody, subject: caller.onBehalfOf ?? caller.actor });
    const verdicts = declareTools(world, registry, (definition) => texts.get(definition) ?? null);
    const undiscovered = explain ? view.servers.filter(({ tools }) => tools === null).map(({ serverId, name }) => ({ server: name, text: undiscoveredText(servers.find((server) => server.serverId === serverId), name, clock.now(), workspace) })) : [];
    return { workspace, undiscovered, tools: verdicts.filter(({ available }) => available || explain).map((verdict) => shownTool(verdict, world)) };
  },
});

/** Why, as far as that is known: a server that stands well was only never looked at. */
function undiscoveredText(server: SeenServer | undefined, name: string, now: number, workspace: string): string {
  const standing = server === undefined ? null : standingOf(server, now, workspace).text;
  const enabling = server?.state === 'disabled' ? completeCommands(reasonText('server_disabled'), { workspace, server: name, tool: null }) : null;
  return standing ?? enabling ?? completeCommands(reasonText('tools_unknown'), { workspace, server: name, tool: null });
}
