import { hash } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonicalJson.js';
import { cutUtf8 } from '../../../platform/scrub/text/cutUtf8.js';
import type { ToolListing } from '../../../tools/remoteTools.js';
import type { CleanText } from './cleanText.js';

/** Most bytes of instructions that are kept, in UTF-8. */
const maxBytes = 4_096;

/**
 * What a server says of how to use it, cleaned, cut, and hashed as it is kept. It is recorded and shown to people only.
 * @param given as the handshake brought it
 * @returns null when there is none
 */
export function readInstructions(given: unknown, clean: CleanText): ToolListing['instructions'] {
  if (typeof given !== 'string') return null;
  // A little more is read than is kept, so that a secret at the cut is still seen whole.
  const text = cutUtf8(clean(given.slice(0, 4 * maxBytes)), maxBytes);
  return text === '' ? null : { hash: hash('sha256', canonicalJson(text)), text };
}
