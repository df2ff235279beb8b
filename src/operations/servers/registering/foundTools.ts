import { z } from 'zod';
import type { OwnerServices } from '../../services.js';
import { hiddenTools, hiddenToolsNow } from '../definitions/hiddenTools.js';
import { skippedText } from '../definitions/skippedText.js';
import type { ConnectionTest } from './connectionTest.js';

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

/** What a connection test found, and what of it is hidden now that it is on record. */
export async function toolsFound(services: OwnerServices, test: ConnectionTest, workspace: string, serverId: string): Promise<z.input<typeof foundTools>> {
  if (test.kind === 'needs_sign_in') return { tools: [], skipped: [], hidden: [], instructions: null, needsSignIn: true };
  return {
    tools: test.listing.tools.map(({ name, definition }) => ({ name, description: definition.description })),
    skipped: test.listing.skipped.map((skipped) => ({ ...skipped, text: skippedText(skipped) })),
    hidden: await hiddenToolsNow(services, workspace, serverId),
    instructions: test.listing.instructions?.text ?? null,
    needsSignIn: false,
  };
}
