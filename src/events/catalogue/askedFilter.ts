import { z } from 'zod';
import { code, subjectId } from './words.js';

/** What events somebody asked for, in clear. Absent: not filtered by it. Times are recordedAt, milliseconds since the epoch. */
export const askedFilter = z.strictObject({
  since: z.int().optional(),
  until: z.int().optional(),
  workspace: z.string().optional(),
  subject: subjectId.optional(),
  outcome: code.optional(),
});

/** Words of the filter that were typed freely and may name people: they lie in the box of who asked. */
export const typedFilter = z.strictObject({
  tool: z.string().optional(),
  server: z.string().optional(),
  reason: z.string().optional(),
  channel: z.string().optional(),
  text: z.string().optional(),
});
