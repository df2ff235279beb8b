import { z } from 'zod';
import { mcpServersDecider } from '../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../commands/mcpServers/mcpServersState.js';
import { comparePositions } from '../../../events/envelope.js';
import type { EventReader } from '../../../events/eventStore.js';
import { operation } from '../../operation.js';
import { iso, isoTime, workspaceId } from '../../words.js';
import { requireOpenedOnRecord } from '../../workspaces/requireOpened.js';
import { recordedOfServers, type OnRecord } from './happened.js';
import { entriesOf, lifeEntry } from './lifeEntries.js';
import { windowsOf } from './lifeWindows.js';
import { livesNamed, type Life } from './registrations.js';
import { signInEntries } from './signInEntries.js';
import { standings } from '../standingText.js';
import { standingThen } from './standingThen.js';

const shownLife = z.object({
  serverId: z.string(),
  name: z.string(),
  kind: z.string(),
  /** Scheme, host and port; the full URL may hold a secret and is never shown. */
  address: z.string(),
  registeredAt: isoTime,
  removedAt: isoTime.nullable(),
  state: z.enum([...standings, 'removed']),
  /** Since when, how often, why, until when and what to do; null when there is nothing to say. */
  standing: z.string().nullable(),
  /** How it stood, without gaps; `to` is null for the last one while it goes on. */
  windows: z.array(z.object({ state: z.string(), from: isoTime, to: isoTime.nullable() })),
  entries: z.array(lifeEntry),
});

/** The lives of all servers that were ever registered under a name, read from the ledger itself, and how they stood at a moment. */
export const showMcpHistory = operation({
  name: 'showMcpHistory',
  reach: 'ledger',
  input: z.object({
    name: z.string(),
    workspace: workspaceId,
    /** One registration of this name only. */
    id: z.string().nullable().default(null),
    /** Milliseconds since the epoch; what was recorded at that very time counts. Null, or later than now: now. */
    asOf: z.int().nullable().default(null),
  }),
  output: z.object({ workspace: z.string(), name: z.string(), asOf: isoTime, lives: z.array(shownLife) }),
  async run({ ledger, clock }, { name, workspace, id, asOf }, { signal }) {
    const record = await recordedOfServers(ledger, workspace, asOf, signal);
    if (record.length === 0) await requireOpenedOnRecord(ledger, workspace);
    const latest = Math.max(clock.now(), record.at(-1)?.at.recordedAt ?? 0);
    const at = Math.min(asOf ?? latest, latest);
    const lives = await Promise.all(livesNamed(record, { workspace, name, id, asOf }).map((life) => shown(ledger, life, { workspace, at, asOf })));
    return { workspace, name, asOf: iso(at), lives };
  },
});

async function shown(ledger: Pick<EventReader, 'readStream'>, { serverId, registeredAt, record }: Life<OnRecord>, { workspace, at, asOf }: { readonly workspace: string; readonly at: number; readonly asOf: number | null }): Promise<z.input<typeof shownLife>> {
  const state = record.reduce((folded, { known, at: place }) => mcpServersDecider.evolve(folded, known, place), mcpServersDecider.initialState());
  const removed = state.removed.get(serverId);
  const server = removed ?? serverById(state, serverId);
  if (server === undefined) throw new Error(`The life of server ${serverId} does not begin with its registration.`);
  const { name, kind, scheme, host, port } = server;
  const windows = windowsOf(record, at);
  const lastChange = windows.at(-1)?.from ?? registeredAt;
  const { state: stands, text } = removed === undefined ? standingThen(server, lastChange, at, workspace) : { state: 'removed' as const, text: null };
  return {
    serverId,
    name,
    kind,
    address: `${scheme}://${host}:${port}`,
    registeredAt: iso(registeredAt),
    removedAt: removed === undefined ? null : iso(windows.at(-1)?.to ?? at),
    state: stands,
    standing: text,
    windows: windows.map(({ state: stood, from, to }) => ({ state: stood, from: iso(from), to: to === null ? null : iso(to) })),
    entries: [...(await entriesOf(ledger, record)), ...(await signInEntries(ledger, serverId, asOf))].sort((one, other) => comparePositions(one.position, other.position)),
  };
}
