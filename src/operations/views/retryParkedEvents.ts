import { z } from 'zod';
import { operation } from '../operation.js';

/** Tries the parked events of a view again, in order. */
export const retryParkedEvents = operation({
  name: 'retryParkedEvents',
  reach: 'owner',
  input: z.object({ view: z.string() }),
  output: z.object({ stillParked: z.int() }),
  run: async ({ views }, { view }) => ({ stillParked: await views.retryParked(view) }),
});
