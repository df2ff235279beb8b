import { z } from 'zod';
import type { RecordedToolDefinition } from '../../events/catalogue/toolDefinition.js';
import { declareTools } from '../../tools/availability.js';
import { anybody, makeWorld } from '../../tools/availability/world.js';
import { loadWorkspaceFacts } from '../../tools/workspaceFacts.js';
import { definitionText } from './definitionText.js';
import { foldedWhile } from '../foldedWhile.js';
import { operation } from '../operation.js';
import { listedTool, shownTool } from './listedTool.js';
import { iso, isoTime, workspaceId } from '../words.js';

/**
 * What a workspace could use at a moment (recordedAt), folded from the ledger's streams up to it. Built-in tools are
 * those of the program that answers.
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
  output: z.object({ workspace: z.string(), asOf: isoTime, tools: z.array(listedTool) }),
  async run({ ledger, registry, definitionPolicy }, { workspace, explain, asOf }) {
    const facts = await loadWorkspaceFacts({ load: (decider, stream) => foldedWhile(ledger, decider, stream, ({ recordedAt }) => recordedAt <= asOf) }, workspace, asOf);
    const hashes = new Set((facts.servers ?? []).flatMap(({ tools }) => tools ?? []).map(({ definition }) => definition));
    const texts = new Map<string, RecordedToolDefinition>();
    for (const hash of hashes) {
      const text = await definitionText(ledger, hash);
      if (text !== null) texts.set(hash, text);
    }
    const verdicts = declareTools(makeWorld(facts, registry, definitionPolicy, anybody), registry, (hash) => texts.get(hash) ?? null);
    return { workspace, asOf: iso(asOf), tools: verdicts.filter(({ available }) => available || explain).map(shownTool) };
  },
});
