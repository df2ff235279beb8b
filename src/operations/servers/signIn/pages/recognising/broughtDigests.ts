import type { BroughtDigests } from '../../pending/pendingSignIn.js';
import { digestOf } from '../../pending/signInSecrets.js';

/** An answer as a browser brings it, with the secret of the form that it was sent from. */
export interface Brought {
  readonly cookie: string | null;
  readonly csrf: string | null;
  readonly code: string | null;
  readonly iss: string | null;
}

/** What a browser shows that has no answer yet. */
export function withoutAnswer(cookie: string | null): Brought {
  return { cookie, csrf: null, code: null, iss: null };
}

/** The form's secret is in the digest of the answer too: a code alone might be guessed from one. */
export function broughtDigests({ cookie, csrf, code, iss }: Brought): BroughtDigests {
  return { cookie: digestOf(cookie ?? ''), answer: digestOf(JSON.stringify([csrf, code, iss])) };
}
