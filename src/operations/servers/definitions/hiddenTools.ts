import { z } from 'zod';

/** Tools that are hidden because of what else is registered, and why. */
export const hiddenTools = z.array(z.object({ name: z.string(), code: z.string(), text: z.string() }));
