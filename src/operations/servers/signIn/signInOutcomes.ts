import type { z } from 'zod';
import { sharedWait } from '../../../platform/time/sharedWait.js';
import type { foundTools } from '../registering/foundTools.js';

/** How a sign-in ended. */
export interface SignInOutcome {
  /** `signed_in_unusable`: the account is there, and the server cannot be used with it; `pending`: it could not be put on record yet, and will be by itself. */
  readonly status: 'signed_in' | 'signed_in_unusable' | 'failed' | 'pending';
  /** Why it failed, cannot be used or is not on record, as a code; null otherwise. */
  readonly reason: string | null;
  /** The scopes that the account lacks, where that is why it cannot be used. */
  readonly missing: readonly string[];
  /** A sentence for people. */
  readonly message: string;
  /** What the server offers now; null when it could not be asked. */
  readonly found: z.output<typeof foundTools> | null;
}

/** Tells who began a sign-in how it ended. */
export interface SignInOutcomes {
  /** @returns null when the signal aborts first, or nobody is to wait any more */
  wait(signInId: string, signal: AbortSignal): Promise<SignInOutcome | null>;
  tell(signInId: string, outcome: SignInOutcome): void;
  /** Lets everyone go who waits: this process stops, and the sign-ins go on in the next one. */
  letGo(): void;
}

/** Within this process: who began a sign-in in another one finds it in the ledger. */
export function signInOutcomes(): SignInOutcomes {
  const waiting = new Map<string, (outcome: SignInOutcome | null) => void>();
  return {
    async wait(signInId, signal) {
      const ended = new Promise<SignInOutcome | null>((resolve) => waiting.set(signInId, resolve));
      return sharedWait(ended, signal, () => null).finally(() => waiting.delete(signInId));
    },
    tell: (signInId, outcome) => waiting.get(signInId)?.(outcome),
    letGo: () => waiting.forEach((end) => end(null)),
  };
}
