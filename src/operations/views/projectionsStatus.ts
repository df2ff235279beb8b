import { z } from 'zod';
import { operation } from '../operation.js';

/** How every view stands: position, lag in events and seconds, parked events. */
export const projectionsStatus = operation({
  name: 'projectionsStatus',
  reach: 'owner',
  input: z.object({}),
  output: z.object({
    views: z.array(
      z.object({
        name: z.string(),
        version: z.int(),
        phase: z.string(),
        position: z.string().nullable(),
        lagEvents: z.number(),
        lagSeconds: z.number(),
        parked: z.int(),
        problem: z.string().nullable(),
      }),
    ),
  }),
  run: async ({ views }) => ({ views: [...(await views.status())] }),
});
