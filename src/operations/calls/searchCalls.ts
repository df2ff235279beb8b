import { z } from 'zod';
import { operation } from '../operation.js';
import { callConditions, conditionsOf, countedRefusals, knowsWorkspace, personKnown, workspaceKnown } from './callConditions.js';
import { shownCall, shownCallOf } from './shownCall.js';

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
  output: z.object({ calls: z.array(shownCall), cursor: z.string().nullable(), personKnown, workspaceKnown, countedRefusals }),
  async run({ views, people }, { limit, order, cursor, ...given }) {
    const conditions = await conditionsOf(people, given);
    if (conditions === null) return { calls: [], cursor: null, personKnown: false, workspaceKnown: true, countedRefusals: null };
    const page = await views.query('searchCalls', { ...conditions, limit, order, ...(cursor !== undefined && { cursor }) });
    return {
      calls: page.calls.map(shownCallOf),
      cursor: page.cursor,
      personKnown: true,
      workspaceKnown: page.calls.length > 0 || (await knowsWorkspace(views, conditions)),
      countedRefusals: await views.query('countedRefusals', conditions),
    };
  },
});
