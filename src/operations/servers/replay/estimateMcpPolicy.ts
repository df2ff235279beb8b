import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { cooldownOf, limitsFor } from '../../../commands/mcpServers/breaker.js';
import { catalogue } from '../../../events/catalogue/catalogue.js';
import { mcpServersTypes } from '../../../events/catalogue/mcpServers/mcpServers.js';
import type { Position } from '../../../events/envelope.js';
import type { EventReader } from '../../../events/eventStore.js';
import { operation } from '../../operation.js';
import { unaltered } from '../../unaltered.js';
import { iso, isoTime, workspaceId } from '../../words.js';
import { requireOpenedOnRecord } from '../../workspaces/requireOpened.js';
import { recordedOfServers, type OnRecord } from './happened.js';
import { PolicyReplay } from './policyReplay.js';
import { livesNamed } from './registrations.js';
import { figuresOf, trackFigures } from './trackFigures.js';
import { wishedPolicy } from './wishedPolicy.js';

const assumptions = [
  'The server is taken to be down from the first failure of a streak until its recovery is on record, or somebody enabled or disabled it. It may have been up earlier; nobody looked.',
  'It is tried when the ledger shows that it was needed: an attempt, a call, a list of tools. Turns that were shown the same list as before, refusals that were only counted, and dropped payloads show nothing.',
  'What people did, and waits that the server asked for, stay as they were.',
];

const policyShape = z.object({ cooldownMs: z.int(), capMs: z.int(), autoDisableMs: z.int() });
const wish = z.int().nullable().default(null);
const pageSize = 500;
const telling = new Set([...mcpServersTypes.map(({ name }): string => name), 'ToolsDeclared', 'ToolCallAdmitted', 'ToolCallRefused']);

/**
 * Replays what is on record of a server under another policy, and sets it beside what happened. An estimate: what it says
 * in `assumptions` is not known. Without an id, of the newest registration under the name.
 */
export const estimateMcpPolicy = operation({
  name: 'estimateMcpPolicy',
  reach: 'ledger',
  input: z.object({ name: z.string(), workspace: workspaceId, id: z.string().nullable().default(null), cooldownMs: wish, capMs: wish, autoDisableMs: wish }),
  output: z.object({
    estimate: z.literal(true),
    assumptions: z.array(z.string()),
    workspace: z.string(),
    name: z.string(),
    serverId: z.string(),
    /** Other registrations under the name, oldest first. */
    otherIds: z.array(z.string()),
    from: isoTime,
    to: isoTime,
    present: policyShape,
    estimated: policyShape,
    /** Whether every quarantine on record is as long as the present policy makes it. */
    recordedUnderPresent: z.boolean(),
    figures: z.object({ recorded: trackFigures, estimated: trackFigures }),
    /** Recoveries on record; null: not noticed before it failed again, or at all. */
    recoveries: z.array(z.object({ recordedAt: isoTime, noticedAt: isoTime.nullable(), laterMs: z.int().nullable() })),
  }),
  async run({ ledger, clock, mcpCooldownMs }, { name, workspace, id, cooldownMs, capMs, autoDisableMs }, { signal }) {
    const policy = wishedPolicy({ baseMs: cooldownMs, longestMs: capMs, autoDisableAfterMs: autoDisableMs }, mcpCooldownMs);
    const present = { baseMs: mcpCooldownMs, ...limitsFor(mcpCooldownMs) };
    const record = await recordedOfServers(ledger, workspace, null, signal);
    if (record.length === 0) await requireOpenedOnRecord(ledger, workspace);
    const lives = livesNamed(record, { workspace, name, id, asOf: null });
    const namesakes = livesNamed(record, { workspace, name, id: null, asOf: null });
    const life = lives.at(-1) ?? lives[0];
    const replay = new PolicyReplay(life.serverId, policy);
    await replayInto(replay, ledger, workspace, life.record, signal);
    const removedAt = life.record.find(({ known }) => known.type === 'McpServerRemoved')?.at.recordedAt;
    const until = removedAt ?? Math.max(clock.now(), record.at(-1)?.at.recordedAt ?? 0);
    return {
      estimate: true as const,
      assumptions,
      workspace,
      name,
      serverId: life.serverId,
      otherIds: namesakes.map(({ serverId }) => serverId).filter((other) => other !== life.serverId),
      from: iso(life.registeredAt),
      to: iso(until),
      present: shape(present),
      estimated: shape(policy),
      recordedUnderPresent: life.record.every(({ known }) => known.type !== 'McpConnectionFailed' || !known.data.counted || known.data.cooldownMs === cooldownOf(known.data.streak, mcpCooldownMs)),
      figures: { recorded: figuresOf(replay.recorded, until), estimated: figuresOf(replay.estimated, until) },
      recoveries: replay.recoveries.map(({ at, noticedAt }) => ({
        recordedAt: iso(at),
        noticedAt: noticedAt === null ? null : iso(noticedAt),
        laterMs: noticedAt === null ? null : noticedAt - at,
      })),
    };
  },
});

/** Until its first failure nothing differs, so only what follows is looked for in the whole ledger. */
async function replayInto(replay: PolicyReplay, ledger: EventReader, workspace: string, life: readonly OnRecord[], signal: AbortSignal): Promise<void> {
  let after: Position | null = null;
  for (const { known, at } of life) {
    replay.take(known, at);
    if (known.type !== 'McpConnectionFailed' || !known.data.counted) continue;
    after = at.position;
    break;
  }
  while (after !== null) {
    const page = await ledger.readAll(after, pageSize);
    for (const event of page) if (event.workspace === workspace && telling.has(event.type)) replay.take(catalogue.decode(unaltered(event)), event);
    after = page.at(-1)?.position ?? null;
    // Reading answers at once; whoever wants to stop it needs a turn.
    await setImmediate();
    signal.throwIfAborted();
  }
}

function shape({ baseMs, longestMs, autoDisableAfterMs }: ReturnType<typeof wishedPolicy>): z.input<typeof policyShape> {
  return { cooldownMs: baseMs, capMs: longestMs, autoDisableMs: autoDisableAfterMs };
}
