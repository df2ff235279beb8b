import { Fault } from '../../../../platform/fault.js';
import type { OwnerServices } from '../../../services.js';
import { failSignIn, turnAway } from '../ending/endSignIn.js';
import { digestOf, isOver, isSame, partsOf, type EndedSignIn, type VersionedSignIn } from '../pendingSignIn.js';

/** What people are told of something that is no part of a sign-in under way. */
export const signInTexts = {
  sign_in_unknown: 'There is no such sign-in any more. If you went back to our page and chose again, go on from there; else begin again with `toolledger mcp sign-in`. Links work once and for 10 minutes.',
  sign_in_expired: 'This sign-in has ended: it lasts 10 minutes. Begin again with `toolledger mcp sign-in`.',
  sign_in_used: 'This was used already, and nothing was done with it again. `toolledger mcp list` shows who is signed in. If it was not you who used it, begin again with `toolledger mcp sign-in`.',
  sign_in_other_browser: 'This sign-in was begun in another browser. Go on there, or begin again with `toolledger mcp sign-in`.',
  sign_in_forged: 'This was not sent from the page of this sign-in, and nothing was done. Open the link again.',
} as const;

function signInFault(code: keyof typeof signInTexts): Fault {
  return new Fault('failed', code, signInTexts[code]);
}

type Parts = Pick<OwnerServices, 'handler' | 'signIns' | 'clock'>;

/** Which word names the sign-in, and whether the request may change something: only then is it put on record. */
export interface Recognising {
  readonly by: 'link' | 'state';
  readonly changes: boolean;
}

/**
 * Finds the sign-in that a link or a state names.
 * @throws Fault `sign_in_unknown`, `sign_in_used`, or `sign_in_expired`, which ends it
 */
export async function recognise(parts: Parts, word: string, { by, changes }: Recognising): Promise<VersionedSignIn> {
  const named = partsOf(word);
  const found = named === null ? null : await parts.signIns.pending.read(named.signInId);
  if (named === null || found === null) throw signInFault('sign_in_unknown');
  if ('ended' in found) {
    const isRight = isSame(digestOf(named.secret), found.ended[by]);
    return isRight ? refuse(parts, found, `${by}_used`, 'sign_in_used', changes) : refuse(parts, found, `${by}_wrong`, 'sign_in_unknown', changes);
  }
  if (!isSame(named.secret, found.pending.secrets[by])) return refuse(parts, found.pending, `${by}_wrong`, 'sign_in_unknown', changes);
  if (isOver(found.pending, parts.clock.now())) {
    if (changes) await failSignIn(parts, found, 'expired', signInTexts.sign_in_expired);
    throw signInFault('sign_in_expired');
  }
  return found;
}

/**
 * Turns a request away, and puts that on record when it was one that could have changed something.
 * @throws Fault of this code, always
 */
export async function refuse(parts: Pick<Parts, 'handler'>, signIn: Pick<EndedSignIn, 'signInId' | 'serverId' | 'origin'>, reason: string, code: keyof typeof signInTexts, changes: boolean): Promise<never> {
  if (changes) await turnAway(parts, signIn, reason);
  throw signInFault(code);
}
