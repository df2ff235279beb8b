import { z } from 'zod';
import { callOutcomes, type CallRow } from '../../projections/toolCallLog/queries.js';
import { operation } from '../operation.js';
import { callConditions, conditionsOf } from './callConditions.js';
import { iso, isoTime } from '../words.js';

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
    ...callConditions,
    limit: z.int().min(1, mostCalls).max(1000, mostCalls).default(50),
    order: z.enum(['newest', 'oldest']).default('newest'),
    cursor: z.string().optional(),
  }),
  output: z.object({ calls: z.array(call), cursor: z.string().nullable() }),
  async run({ views, people }, { limit, order, cursor, ...given }) {
    const conditions = await conditionsOf(people, given);
    if (conditions === null) return { calls: [], cursor: null };
    const page = await views.query('searchCalls', { ...conditions, limit, order, ...(cursor !== undefined && { cursor }) });
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
