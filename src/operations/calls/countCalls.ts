import { z } from 'zod';
import { operation } from '../operation.js';
import { callConditions, conditionsOf, personKnown } from './callConditions.js';

/** How many calls match, exactly. */
export const countCalls = operation({
  name: 'countCalls',
  reach: 'views',
  input: z.object(callConditions),
  output: z.object({ count: z.int(), personKnown }),
  async run({ views, people }, given) {
    const conditions = await conditionsOf(people, given);
    return { count: conditions === null ? 0 : await views.query('countCalls', conditions), personKnown: conditions !== null };
  },
});
