import { z } from 'zod';
import { operation } from '../operation.js';

/** Copies the keys into a new file and checks the copy. The master key is not in it. */
export const backUpKeys = operation({
  name: 'backUpKeys',
  reach: 'owner',
  input: z.object({
    /** Absolute: the owner may have another working directory. */
    file: z.string().min(1, 'name the file that the backup goes to').max(4_000),
  }),
  output: z.object({ file: z.string(), people: z.int(), bytes: z.int() }),
  run: async ({ vault }, { file }) => ({ file, ...(await vault.backUp(file)) }),
});
