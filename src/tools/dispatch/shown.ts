import type { ResultShape } from '../../events/catalogue/toolCall.js';
import type { RawResult } from './cappedResult.js';
export function shownResult(raw: RawResult): { readonly result: ResultShape; readonly preview: string } {
  const preview = JSON.stringify(raw.data ?? raw.content);
  return { result: { bytes: preview.length, kinds: [], previewCut: false, redaction: [] }, preview };
}
export function shownError(message: string): string {
  return message.slice(0, 500);
}
export function shownName(name: string): string {
  return name.slice(0, 128);
}
