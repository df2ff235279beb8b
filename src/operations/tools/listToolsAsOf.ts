import { z } from 'zod';
import { builtInToolsDecider, builtInToolsStream, type OfferedTools } from '../../commands/builtInTools.js';
import type { RecordedToolDefinition } from '../../events/catalogue/toolDefinition.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { declareTools, type DeclaredVerdict } from '../../tools/availability.js';
import { makeBuiltIns, type BuiltIns } from '../../tools/availability/builtIns.js';
import { completeCommands } from '../../tools/availability/completeCommands.js';
import type { ServerFacts } from '../../tools/availability/facts.js';
import { reasonText } from '../../tools/availability/reasons.js';
import { anybody, makeWorld, type World } from '../../tools/availability/world.js';
import { loadWorkspaceFacts } from '../../tools/workspaceFacts.js';
import { definitionText } from './definitionText.js';
import { foldedWhile } from '../foldedWhile.js';
import { operation } from '../operation.js';
import { listedTool, shownTool } from './listedTool.js';
import { undiscoveredServer } from './undiscoveredServer.js';
import { iso, isoTime, workspaceId } from '../words.js';
import { requireOpenedOnRecord } from '../workspaces/requireOpened.js';

type TextOf = (definition: string) => RecordedToolDefinition | null;

/**
 * What a workspace could use at a moment (recordedAt), folded from the ledger's streams up to it. Before programs said
 * what built-in tools they have, those of the program that answers are judged, and none of them is called available.
 */
export const listToolsAsOf = operation({
  name: 'listToolsAsOf',
  reach: 'ledger',
  input: z.object({
    workspace: workspaceId,
    explain: z.boolean().default(false),
    /** Milliseconds since the epoch; what was recorded at that very time counts. */
    asOf: z.int(),
  }),
  output: z.object({
    workspace: z.string(),
    asOf: isoTime,
    /** Whether the ledger says which built-in tools there were. */
    builtInsRecorded: z.boolean(),
    tools: z.array(listedTool),
    /** With `explain` only. */
    undiscovered: z.array(undiscoveredServer),
  }),
  async run({ ledger, registry, definitionPolicy }, { workspace, explain, asOf }) {
    await requireOpenedOnRecord(ledger, workspace);
    const belongs = ({ recordedAt }: RecordedEvent) => recordedAt <= asOf;
    const [facts, { state: offered }] = await Promise.all([
      loadWorkspaceFacts({ load: (decider, stream) => foldedWhile(ledger, decider, stream, belongs) }, workspace, asOf),
      foldedWhile(ledger, builtInToolsDecider, builtInToolsStream, belongs),
    ]);
    const remote = (facts.servers ?? []).flatMap(({ tools }) => tools ?? []);
    const textOf = await textsOf(ledger, [...remote, ...(offered.tools ?? [])]);
    const builtIns = offered.tools === null ? registry : builtInsThen(offered.tools, textOf);
    const world = makeWorld(facts, builtIns, definitionPolicy, anybody);
    const judged = declareTools(world, builtIns, textOf);
    const builtInsRecorded = offered.tools !== null;
    const tools = judged.map((verdict) => (builtInsRecorded ? shownTool(verdict, world) : asFarAsRecorded(verdict, world)));
    const undiscovered = explain ? (facts.servers ?? []).filter((server) => server.tools === null).map((server) => ({ server: server.name, text: undiscoveredThen(server, workspace) })) : [];
    return { workspace, asOf: iso(asOf), builtInsRecorded, undiscovered, tools: tools.filter(({ available }) => available !== false || explain) };
  },
});

function undiscoveredThen({ name, enabled, outOfUse }: ServerFacts, workspace: string): string {
  const reason = outOfUse?.reason ?? (enabled ? 'tools_unknown' : 'server_disabled');
  return completeCommands(reasonText(reason), { workspace, server: name, tool: null });
}

function builtInsThen(offered: OfferedTools, textOf: TextOf): BuiltIns {
  return makeBuiltIns(
    offered.map((tool) => {
      const text = textOf(tool.definition);
      return { ...tool, declared: text === null ? null : { ...text, title: text.title ?? null, thirdParty: null } };
    }),
  );
}

/** What was judged by the built-in tools of another time, without what only those can say. */
function asFarAsRecorded(verdict: DeclaredVerdict, world: World): z.input<typeof listedTool> {
  const { subject, available, reasons } = verdict;
  const builtIn = subject.kind === 'builtin';
  const unknown = builtIn ? available : reasons.every((reason) => reason === 'reserved_name') && !available;
  return {
    ...shownTool(verdict, world),
    ...(unknown && { available: null, reasons: [{ code: 'built_ins_unrecorded', text: reasonText('built_ins_unrecorded') }] }),
    ...(builtIn && { definition: null }),
  };
}

async function textsOf(ledger: Pick<EventReader, 'readStream'>, tools: readonly { readonly definition: string }[]): Promise<TextOf> {
  const texts = new Map<string, RecordedToolDefinition>();
  for (const hash of new Set(tools.map(({ definition }) => definition))) {
    const text = await definitionText(ledger, hash);
    if (text !== null) texts.set(hash, text);
  }
  return (hash) => texts.get(hash) ?? null;
}
