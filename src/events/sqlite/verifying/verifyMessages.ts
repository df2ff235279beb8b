import type { StoreFailure } from '../../storeError.js';
import type { LedgerReport } from './damage.js';
import type { SealedTree } from './checkTree.js';

/** Which half of a verification a thread does. */
export interface VerifyTask {
  readonly file: string;
  readonly part: 'structure' | 'rows';
  readonly sealed?: SealedTree;
}

/** What a verifying thread says: how far it is, and at last what it found or why it could not look. */
export type FromVerifier =
  | { readonly done: number; readonly total: number }
  | { readonly report: LedgerReport }
  | { readonly failure: StoreFailure };
