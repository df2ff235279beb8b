import { z } from 'zod';
import { operation } from '../operation.js';
import { shownCall, shownCallOf } from './shownCall.js';

/** The calls of one turn, oldest first, at most a hundred, of those around a time. */
export const turnCalls = operation({
  name: 'turnCalls',
  reach: 'views',
  input: z.object({
    workspace: z.string(),
    turn: z.string(),
    /** When one of them was recorded, milliseconds since the epoch. */
    around: z.int(),
  }),
  output: z.object({ calls: z.array(shownCall) }),
  run: async ({ views }, turn) => ({ calls: (await views.query('callsOfTurn', turn)).map(shownCallOf) }),
});
