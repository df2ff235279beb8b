import { resolve } from 'node:path';
import { z } from 'zod';
import { operation } from '../operation.js';

/** Copies the ledger, beside whoever writes it, into one new file that was checked event by event. */
export const backupLedger = operation({
  name: 'backupLedger',
  reach: 'ledger',
  input: z.object({
    /** Must not exist. */
    file: z.string().min(1),
  }),
  output: z.object({ file: z.string(), events: z.int(), bytes: z.int() }),
  async run({ backup }, { file }, { progress, signal }) {
    const at = resolve(file);
    progress({ done: 0, total: null });
    return { file: at, ...(await backup(at, progress, signal)) };
  },
});
