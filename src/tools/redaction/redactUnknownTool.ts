import type { RedactionNote } from '../../events/catalogue/toolCall.js';
import type { JsonValue } from '../../platform/json.js';
import { jsonBytes } from './jsonBytes.js';

/** Of the arguments of a tool that nobody knows only the size is kept, in bytes of JSON text. */
export function redactUnknownTool(args: JsonValue): { readonly bytes: number; readonly notes: readonly RedactionNote[] } {
  return { bytes: jsonBytes(args), notes: [{ path: '', rule: 'unknown_tool' }] };
}
