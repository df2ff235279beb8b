import { z } from 'zod';
import { operation } from '../operation.js';

/** As `EpochReport` says. */
const epoch = z.object({
  epoch: z.int(),
  kept: z.int().nullable(),
  sealed: z.int(),
  signed: z.int(),
  seals: z.enum(['gone', 'as_signed', 'unknown_key', 'given_up']).nullable(),
});

/**
 * Checks every event of the ledger, the tree over them and every signed checkpoint there is; `damage` names the first bad
 * position. With `fromCheckpoint` only what came after the newest seal is read.
 */
export const verifyLedger = operation({
  name: 'verifyLedger',
  reach: 'ledger',
  input: z.object({ fromCheckpoint: z.boolean().default(false) }),
  output: z.object({
    events: z.int(),
    damage: z.object({ position: z.string().nullable(), kind: z.string(), detail: z.string() }).nullable(),
    skipped: z.int(),
    sealed: z.int(),
    outside: z.int(),
    epochs: z.array(epoch).readonly(),
  }),
  run: ({ verify }, options, { progress, signal }) => verify(options, progress, signal),
});
