import { z } from 'zod';
import { operation } from '../operation.js';

/** Checks every leaf, position and revision of the ledger; `damage` names the first bad position. */
export const verifyLedger = operation({
  name: 'verifyLedger',
  reach: 'ledger',
  input: z.object({}),
  output: z.object({
    events: z.int(),
    damage: z.object({ position: z.string().nullable(), kind: z.string(), detail: z.string() }).nullable(),
  }),
  run: ({ verify }, _input, { progress, signal }) => verify(progress, signal),
});
