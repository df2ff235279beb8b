import { z } from 'zod';
import { skippedText } from '../definitions/skippedText.js';
import type { ConnectionTest } from './connectionTest.js';

/** What a server offers, as the one who registers it sees it. */
export const foundTools = z.object({
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  skipped: z.array(z.object({ name: z.string().nullable(), reason: z.string(), text: z.string() })),
  /** It answered that it wants a sign-in, so its tools are not known yet. */
  needsSignIn: z.boolean(),
});

/** The tools a connection test found. */
export function toolsFound(test: ConnectionTest): z.input<typeof foundTools> {
  if (test.kind === 'needs_sign_in') return { tools: [], skipped: [], needsSignIn: true };
  return {
    tools: test.listing.tools.map(({ name, definition }) => ({ name, description: definition.description })),
    skipped: test.listing.skipped.map((skipped) => ({ ...skipped, text: skippedText(skipped) })),
    needsSignIn: false,
  };
}
