import { z } from 'zod';

/** A server whose tools nobody has seen: why, as far as that is known, and what to do. */
export const undiscoveredServer = z.object({ server: z.string(), text: z.string() });
