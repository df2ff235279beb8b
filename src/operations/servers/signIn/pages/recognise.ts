import { Fault } from '../../../../platform/fault.js';
import type { OwnerServices } from '../../../services.js';
import { failSignIn, turnAway } from '../ending/endSignIn.js';
import { signerOf } from '../adminText.js';
import { digestOf, isOver, isSame, partsOf, type BroughtDigests, type EndedSignIn, type VersionedSignIn } from '../pendingSignIn.js';
import { broughtDigests, type Brought } from './broughtDigests.js';

/** What people are told of something that is no part of a sign-in under way. */
export const signInTexts = {
  sign_in_unknown: 'There is no such sign-in, or it has ended: links work once and for 10 minutes. If you went back to our page and chose again, go on from there; else begin again with `toolledger mcp sign-in`.',
  signer_erased: 'The person who began this sign-in was erased, so nothing comes of it.',
  sign_in_expired: 'This sign-in has ended: it lasts 10 minutes. Begin again with `toolledger mcp sign-in`.',
  sign_in_used: 'This was used already, and nothing was done with it again. `toolledger mcp list` shows who is signed in. If it was not you who used it, begin again with `toolledger mcp sign-in`.',
  signed_in_already: 'This sign-in went through, and nothing was done with it again. You can close this page. `toolledger mcp list` shows who is signed in.',
  sign_in_other_browser: 'This sign-in was begun in another browser. Go on there, or begin again with `toolledger mcp sign-in`.',
  sign_in_forged: 'This was not sent from the page of this sign-in, and nothing was done. Open the link again.',
} as const;

/** @param server its name, for who showed that they know the sign-in */
function signInFault(code: keyof typeof signInTexts, server: string | null): Fault {
  return new Fault('failed', code, signInTexts[code], server === null ? {} : { server });
}

type Parts = Pick<OwnerServices, 'handler' | 'signIns' | 'clock' | 'vault'>;

/** Which word names the sign-in, and whether the request may change something: only then is it put on record. */
export interface Recognising {
  readonly by: 'link' | 'state';
  readonly changes: boolean;
  /** What the browser showed beside the word. */
  readonly brought: Brought;
}

/**
 * Finds the sign-in that a link or a state names.
 * @throws Fault `sign_in_unknown`, `sign_in_used`, `signed_in_already`, or `sign_in_expired` and `signer_erased`, which end it
 */
export async function recognise(parts: Parts, word: string, { by, changes, brought }: Recognising): Promise<VersionedSignIn> {
  const named = partsOf(word);
  const found = named === null ? null : await parts.signIns.pending.read(named.signInId);
  if (named === null || found === null) throw signInFault('sign_in_unknown', null);
  if ('ended' in found) {
    if (!isSame(digestOf(named.secret), found.ended[by])) return refuse(parts, found, `${by}_wrong`, 'sign_in_unknown', changes);
    if (isDoneAlready(found.completedBy, broughtDigests(brought), changes)) throw signInFault('signed_in_already', found.serverName);
    return refuse(parts, found, `${by}_used`, 'sign_in_used', changes);
  }
  if (!isSame(named.secret, found.pending.secrets[by])) return refuse(parts, found.pending, `${by}_wrong`, 'sign_in_unknown', changes);
  if ((await parts.vault.keyOf(signerOf(found.pending.origin))) === null) {
    if (changes) await failSignIn(parts, found, 'signer_erased', signInTexts.signer_erased);
    throw signInFault('signer_erased', found.pending.serverName);
  }
  if (isOver(found.pending, parts.clock.now())) {
    if (changes) await failSignIn(parts, found, 'expired', signInTexts.sign_in_expired);
    throw signInFault('sign_in_expired', found.pending.serverName);
  }
  return found;
}

/** Whether the browser that completed a sign-in only looks again, or sends its last page again. */
function isDoneAlready(completedBy: BroughtDigests | null, { cookie, answer }: BroughtDigests, changes: boolean): boolean {
  return completedBy !== null && isSame(cookie, completedBy.cookie) && (!changes || isSame(answer, completedBy.answer));
}

/**
 * Turns a request away, and puts that on record when it was one that could have changed something.
 * @throws Fault of this code, always
 */
export async function refuse(parts: Pick<Parts, 'handler'>, signIn: Pick<EndedSignIn, 'signInId' | 'serverId' | 'serverName' | 'origin'>, reason: string, code: keyof typeof signInTexts, changes: boolean): Promise<never> {
  if (changes) await turnAway(parts, signIn, reason);
  throw signInFault(code, code === 'sign_in_unknown' ? null : signIn.serverName);
}
