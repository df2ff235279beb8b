import type { z } from 'zod';
import type { OwnerServices } from '../../services.js';
import { hiddenToolsNow } from '../definitions/hiddenToolsNow.js';
import { skippedText } from '../definitions/skippedText.js';
import type { ConnectionTest } from './connectionTest.js';
import type { foundTools } from './foundTools.js';

/** What a connection test found, and what of it is hidden now that it is on record. */
export async function toolsFound(services: OwnerServices, test: ConnectionTest, workspace: string, serverId: string): Promise<z.output<typeof foundTools>> {
  if (test.kind === 'needs_sign_in') return { tools: [], skipped: [], hidden: [], instructions: null, needsSignIn: true };
  return {
    tools: test.listing.tools.map(({ name, definition }) => ({ name, description: definition.description })),
    skipped: test.listing.skipped.map((skipped) => ({ ...skipped, text: skippedText(skipped) })),
    hidden: await hiddenToolsNow(services, workspace, serverId),
    instructions: test.listing.instructions?.text ?? null,
    needsSignIn: false,
  };
}
