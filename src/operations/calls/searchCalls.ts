import { z } from 'zod';
import { callOutcomes, type CallRow } from '../../projections/toolCallLog/queries.js';
import { Fault } from '../../platform/fault.js';
import { operation } from '../operation.js';
import { subjectFilter } from './subjectFilter.js';
import { iso, isoTime, workspaceId } from '../words.js';

const call = z.object({
  callId: z.string(),
  recordedAt: isoTime,
  endedAt: isoTime.nullable(),
  workspace: z.string(),
  channel: z.string().nullable(),
  actor: z.string(),
  door: z.string(),
  onBehalfOf: z.string().nullable(),
  turn: z.string().nullable(),
  tool: z.string().nullable(),
  serverId: z.string().nullable(),
  server: z.string().nullable(),
  outcome: z.enum(callOutcomes),
  reasons: z.array(z.string()),
  durationMs: z.number().nullable(),
});

const mostCalls = 'a page holds 1 to 1000 calls';

/** Calls by filter, in pages by cursor that stay right while calls arrive. */
export const searchCalls = operation({
  name: 'searchCalls',
  reach: 'views',
  input: z.object({
    /** Milliseconds since the epoch, inclusive. */
    since: z.int().optional(),
    /** Milliseconds since the epoch, exclusive. */
    until: z.int().optional(),
    workspace: workspaceId.unwrap().optional(),
    channel: z.string().optional(),
    /** A person's id as the chat service gives it. */
    user: z.string().optional(),
    /** The id that stands for a person in the ledger. */
    subject: z.guid('a subject is a UUID, as `audit show` prints it').optional(),
    tool: z.string().optional(),
    server: z.string().optional(),
    outcome: z.enum(callOutcomes).optional(),
    reason: z.string().optional(),
    text: z.string().optional(),
    limit: z.int().min(1, mostCalls).max(1000, mostCalls).default(50),
    order: z.enum(['newest', 'oldest']).default('newest'),
    cursor: z.string().optional(),
  }),
  output: z.object({ calls: z.array(call), cursor: z.string().nullable() }),
  async run({ views, people }, { user, subject, ...filter }) {
    if (filter.since !== undefined && filter.until !== undefined && filter.since >= filter.until) {
      throw new Fault('usage', 'empty_time_range', `Nothing can be at or after ${iso(filter.since)} and before ${iso(filter.until)}; swap --since and --until.`);
    }
    const who = await subjectFilter(people, { user, subject });
    if (who === 'nobody') return { calls: [], cursor: null };
    const page = await views.query('searchCalls', withoutUndefined({ ...filter, subject: who }));
    return { calls: page.calls.map(shown), cursor: page.cursor };
  },
});

function shown({ recordedAt, endedAt, serverName, reasons, ...row }: CallRow): z.input<typeof call> {
  return {
    ...row,
    recordedAt: iso(recordedAt),
    endedAt: endedAt === null ? null : iso(endedAt),
    server: serverName,
    reasons: [...reasons],
  };
}

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(value: T): Given<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Given<T>;
}
