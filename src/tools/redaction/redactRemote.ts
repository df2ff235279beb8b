import type { RedactionNote } from '../../events/catalogue/toolCall.js';
import type { JsonObject } from '../../platform/json.js';
import { scrubValue } from '../../platform/scrub/scrubValue.js';
import { schemaKeys } from './schemaKeys.js';

/** What the ledger may keep of the arguments of a remote tool: nothing of it in clear. */
export interface RedactedArguments {
  /** For the person's box: the structure, without secrets. */
  readonly personal: JsonObject;
  readonly notes: readonly RedactionNote[];
}

/**
 * Scrubs the arguments of a remote tool, of which nobody stated anything. Keys that the tool's schema does not name
 * are values of the caller: they are scrubbed, and notes show them as `*`.
 * @param inputSchema as the server published it; not trusted
 */
export function redactRemote(args: JsonObject, inputSchema: JsonObject): RedactedArguments {
  const { value, notes } = scrubValue(args, schemaKeys(inputSchema));
  return { personal: value as JsonObject, notes };
}
