import { z } from 'zod';
import { operation } from '../operation.js';
import { callConditions, conditionsOf, countedRefusals, knowsWorkspace, personKnown, workspaceKnown } from './callConditions.js';

/** How many calls match, exactly. */
export const countCalls = operation({
  name: 'countCalls',
  reach: 'views',
  input: z.object(callConditions),
  output: z.object({ count: z.int(), personKnown, workspaceKnown, countedRefusals }),
  async run({ views, people }, given) {
    const conditions = await conditionsOf(people, given);
    if (conditions === null) return { count: 0, personKnown: false, workspaceKnown: true, countedRefusals: null };
    const count = await views.query('countCalls', conditions);
    return { count, personKnown: true, workspaceKnown: count > 0 || (await knowsWorkspace(views, conditions)), countedRefusals: await views.query('countedRefusals', conditions) };
  },
});
