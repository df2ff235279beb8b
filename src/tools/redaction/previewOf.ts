import type { RedactionNote, ResultShape } from '../../events/catalogue/toolCall.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { cutUtf8 } from '../../platform/scrub/text/cutUtf8.js';
import { knownHere, noKnownKeys } from '../../platform/scrub/knownKeys.js';
import { scrubValue } from '../../platform/scrub/scrubValue.js';
import { describeBinary } from './binaryPart.js';
import { jsonBytes } from './jsonBytes.js';

/** Most bytes of UTF-8 that the ledger keeps of a result. */
export const maxPreviewBytes = 4 * 1024;

/**
 * Most bytes of a result that are scanned for its preview: enough that removed secrets still leave a preview, little
 * enough that a result made to be slow to scan costs milliseconds.
 */
const maxScanBytes = 32 * 1024;

/** What the ledger keeps of a result. */
export interface Preview {
  /** For the person's box. */
  readonly preview: string;
  /** In clear: `bytes` is the size of the whole result. */
  readonly result: ResultShape;
}

const partKeys = knownHere(['type', 'text', 'uri', 'name', 'title', 'description', 'mimeType', 'bytes', 'resource', 'annotations', '_meta']);

/** The preview of what a built-in tool answered: the text itself, or JSON. */
export function previewOfData(data: JsonValue): Preview {
  const { value, notes } = scrubValue(data, noKnownKeys, maxScanBytes);
  return previewed(data, typeof value === 'string' ? value : JSON.stringify(value), [typeof data === 'string' ? 'text' : 'structured'], notes);
}

/**
 * The preview of what a remote tool answered: the texts, and other parts described. Structured content is shown when
 * there is no text, which repeats it by MCP's own advice.
 */
export function previewOfContent(content: readonly JsonObject[], structured: JsonObject | null): Preview {
  const parts = scrubValue(content.map(describeBinary), { ...partKeys, items: () => partKeys }, maxScanBytes);
  const shape = structured === null ? null : scrubValue(structured, noKnownKeys, maxScanBytes);
  const texts = (parts.value as readonly JsonObject[]).map(partText);
  const kinds = [...content.map(kindOf), ...(shape === null ? [] : ['structured'])];
  const whole: JsonValue = structured === null ? content : [content, structured];
  const shown = shape !== null && !kinds.includes('text') ? [...texts, JSON.stringify(shape.value)] : texts;
  const notes = [
    ...parts.notes.map(({ path, rule }) => ({ path: `/content${path}`, rule })),
    ...(shape?.notes ?? []).map(({ path, rule }) => ({ path: `/structuredContent${path}`, rule })),
  ];
  return previewed(whole, shown.join('\n'), kinds, notes);
}

function previewed(whole: JsonValue, text: string, kinds: readonly string[], notes: readonly RedactionNote[]): Preview {
  const preview = cutUtf8(text, maxPreviewBytes);
  const cut = notes.some(({ rule }) => rule === 'too_large');
  const result = {
    bytes: jsonBytes(whole),
    kinds: [...new Set(kinds)],
    previewCut: cut || preview.length < text.length,
    // That the scan ended early is no removal; `previewCut` says it.
    redaction: notes.filter(({ rule }) => rule !== 'too_large'),
  };
  return { preview, result };
}

function partText(part: JsonObject): string {
  return part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : JSON.stringify(part);
}

const knownKinds = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** The kind as MCP names it; kinds we do not know are a server's own words and count as `other`. */
function kindOf(part: JsonObject): string {
  const { type } = part;
  return typeof type === 'string' && knownKinds.has(type) ? type : 'other';
}
