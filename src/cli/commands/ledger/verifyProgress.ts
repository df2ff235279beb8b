import { counted } from '../../../platform/text/counted.js';
import type { JsonValue } from '../../../platform/json.js';

/** How far a check of the whole ledger is, as one line. */
export function verifyProgress(progress: JsonValue): string {
  const { done, total } = progress as { done: number; total: number };
  return `verifying: ${done} of ${counted(total, 'event')}`;
}
