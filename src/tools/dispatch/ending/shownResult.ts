import { previewOfContent, previewOfData, type Preview } from '../../redaction/previewOf.js';
import type { RawResult } from './cappedResult.js';

/** What the ledger keeps of a result: a redacted preview, its size and its kinds. */
export function shownResult({ data, content }: RawResult): Preview {
  if (content === undefined) return previewOfData(data ?? null);
  return previewOfContent(content, data ?? null);
}
