import type { FaultKind } from '../../platform/fault.js';
import type { JsonValue } from '../../platform/json.js';
import type { LedgerTree } from './growTree.js';

/** What the tree's thread answers to a `Growth`. */
export type FromTree =
  | { readonly tree: LedgerTree }
  | { readonly fault: { readonly kind: FaultKind; readonly code: string; readonly message: string; readonly details: { readonly [key: string]: JsonValue } } };
