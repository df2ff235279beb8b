import { z } from 'zod';
import { operation } from '../operation.js';

/** Events that a view could not fold and set aside. */
export const listParkedEvents = operation({
  name: 'listParkedEvents',
  reach: 'owner',
  input: z.object({}),
  output: z.object({
    parked: z.array(
      z.object({
        view: z.string(),
        position: z.string(),
        eventId: z.string(),
        type: z.string(),
        error: z.string(),
        attempts: z.int(),
      }),
    ),
  }),
  run: async ({ views }) => ({ parked: [...(await views.parked())] }),
});
