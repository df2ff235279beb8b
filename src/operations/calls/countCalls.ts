import { z } from 'zod';
import { operation } from '../operation.js';
import { callConditions, conditionsOf, countedRefusals, personKnown } from './callConditions.js';

/** How many calls match, exactly. */
export const countCalls = operation({
  name: 'countCalls',
  reach: 'views',
  input: z.object(callConditions),
  output: z.object({ count: z.int(), personKnown, countedRefusals }),
  async run({ views, people }, given) {
    const conditions = await conditionsOf(people, given);
    if (conditions === null) return { count: 0, personKnown: false, countedRefusals: null };
    return { count: await views.query('countCalls', conditions), personKnown: true, countedRefusals: await views.query('countedRefusals', conditions) };
  },
});
