import { Fault } from '../../../../platform/fault.js';
import type { OwnerServices } from '../../../services.js';
import { failSignIn, turnAway } from '../ending/endSignIn.js';
import { isClosed } from '../../../workspaces/requireOpen.js';
import { signerOf } from '../adminText.js';
import { digestOf, isOver, isSame, partsOf, waitsForBrowser, type BroughtDigests, type EndedSignIn, type PendingSignIn, type VersionedSignIn } from '../pendingSignIn.js';
import { broughtDigests, type Brought } from './broughtDigests.js';

/** What people are told of something that is no part of a sign-in under way. */
export const signInTexts = {
  sign_in_unknown: 'There is no such sign-in, or it has ended: links work once and for 10 minutes. If you went back to our page and chose again, go on from there; else begin again with `toolledger mcp sign-in`.',
  signer_erased: 'The person who began this sign-in was erased, so nothing comes of it.',
  server_removed: 'This sign-in has ended because the server was removed, so there is nothing to sign in at.',
  workspace_closed: 'This sign-in has ended because its workspace was closed. When it is open again, begin again with `toolledger mcp sign-in`.',
  sign_in_expired: 'This sign-in has ended: it lasts 10 minutes. Begin again with `toolledger mcp sign-in`.',
  sign_in_used: 'This was used already, and nothing was done with it again. `toolledger mcp list` shows who is signed in. If it was not you who used it, begin again with `toolledger mcp sign-in`.',
  signed_in_already: 'This sign-in went through, and nothing was done with it again. You can close this page. `toolledger mcp list` shows who is signed in.',
  sign_in_unrecorded: 'You signed in, and that could not be put on record yet. It will be by itself; `toolledger mcp list` shows when it is.',
  sign_in_other_browser: 'This sign-in was begun in another browser. Go on there, or begin again with `toolledger mcp sign-in`.',
  sign_in_forged: 'This was not sent from the page of this sign-in, and nothing was done. Open the link again.',
} as const;

/** What one that ended without an answer is told of, by why it ended: nobody used it. */
const endedUnused = {
  signer_erased: 'signer_erased',
  server_removed: 'server_removed',
  workspace_closed: 'workspace_closed',
  expired: 'sign_in_expired',
} as const;

function isUnused(reason: string | null): reason is keyof typeof endedUnused {
  return reason !== null && Object.hasOwn(endedUnused, reason);
}

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
 * @throws Fault `sign_in_unknown`, `sign_in_used`, `signed_in_already`, `sign_in_unrecorded`, `server_removed`, or `sign_in_expired`, `signer_erased` and
 * `workspace_closed`, which end it
 */
export async function recognise(parts: Parts, word: string, { by, changes, brought }: Recognising): Promise<VersionedSignIn> {
  const named = partsOf(word);
  const found = named === null ? null : await parts.signIns.pending.read(named.signInId);
  if (named === null || found === null) throw signInFault('sign_in_unknown', null);
  if ('ended' in found) {
    if (!isSame(digestOf(named.secret), found.ended[by])) return refuse(parts, found, `${by}_wrong`, 'sign_in_unknown', changes);
    if (isDoneAlready(found.completedBy, broughtDigests(brought), changes)) throw signInFault('signed_in_already', found.serverName);
    if (isUnused(found.reason)) throw signInFault(endedUnused[found.reason], found.serverName);
    return refuse(parts, found, `${by}_used`, 'sign_in_used', changes);
  }
  if (!isSame(named.secret, found.pending.secrets[by])) return refuse(parts, found.pending, `${by}_wrong`, 'sign_in_unknown', changes);
  const { phase } = found.pending;
  if (phase.kind === 'failing' && isUnused(phase.reason)) throw signInFault(endedUnused[phase.reason], found.pending.serverName);
  if (phase.kind === 'exchanged' && isDoneAlready(phase.brought, broughtDigests(brought), changes)) throw signInFault('sign_in_unrecorded', found.pending.serverName);
  const reason = await reasonToEnd(parts, found.pending);
  if (reason === null) return found;
  const code = endedUnused[reason];
  if (changes && waitsForBrowser(found.pending)) await failSignIn(parts, found, reason, signInTexts[code]);
  throw signInFault(code, found.pending.serverName);
}

/** Why a sign-in under way must not go on; null: it may. */
async function reasonToEnd({ handler, clock, vault }: Parts, pending: PendingSignIn): Promise<keyof typeof endedUnused | null> {
  if ((await vault.keyOf(signerOf(pending.origin))) === null) return 'signer_erased';
  if (await isClosed(handler, pending.origin.workspace)) return 'workspace_closed';
  return isOver(pending, clock.now()) ? 'expired' : null;
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
