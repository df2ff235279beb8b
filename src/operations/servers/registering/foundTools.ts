import { z } from 'zod';
import { hiddenTools } from '../definitions/hiddenTools.js';

/** What a server offers, as the one who registers it sees it. */
export const foundTools = z.object({
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  skipped: z.array(z.object({ name: z.string().nullable(), reason: z.string(), text: z.string() })),
  /** Of the tools, those nobody can call, because another server or the product uses the name. */
  hidden: hiddenTools,
  /** What the server says of how to use it: a third party's words, for people only. Null when it says nothing. */
  instructions: z.string().nullable(),
  /** It answered that it wants a sign-in, so its tools are not known yet. */
  needsSignIn: z.boolean(),
});
