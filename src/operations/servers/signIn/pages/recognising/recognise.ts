import { Fault } from '../../../../../platform/fault.js';
import type { OwnerServices } from '../../../../services.js';
import { failSignIn } from '../../ending/failSignIn.js';
import { turnAway } from './turnAway.js';
import { isClosed } from '../../../../workspaces/requireOpen.js';
import { signerOf } from '../../whoBegan.js';
import { signInText, type SignInText } from '../../signInTexts.js';
import { isOver, waitsForBrowser, type BroughtDigests, type PendingSignIn } from '../../pending/pendingSignIn.js';
import { digestOf, isSame } from '../../pending/signInSecrets.js';
import { partsOf } from '../../pending/signInWord.js';
import type { EndedSignIn, VersionedSignIn } from '../../pending/signInStore.js';
import { broughtDigests, type Brought } from './broughtDigests.js';

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

/** @param about the sign-in, for who showed that they know it */
function signInFault(code: SignInText, about: Pick<PendingSignIn, 'serverName' | 'origin'> | null): Fault {
  return new Fault('failed', code, signInText(code, about), about === null ? {} : { server: about.serverName });
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
 * @throws Fault `sign_in_unknown`, `sign_in_used`, `signed_in_already`, `sign_in_over`, `sign_in_unrecorded`, `server_removed`, or `sign_in_expired`, `signer_erased` and
 * `workspace_closed`, which end it
 */
export async function recognise(parts: Parts, word: string, { by, changes, brought }: Recognising): Promise<VersionedSignIn> {
  const named = partsOf(word);
  const found = named === null ? null : await parts.signIns.pending.read(named.signInId);
  if (named === null || found === null) throw signInFault('sign_in_unknown', null);
  if ('ended' in found) {
    if (!isSame(digestOf(named.secret), found.ended[by])) return refuse(parts, found, `${by}_wrong`, 'sign_in_unknown', changes);
    if (isDoneAlready(found.brought, broughtDigests(brought), changes)) throw signInFault(found.reason === null ? 'signed_in_already' : 'sign_in_over', found);
    if (isUnused(found.reason)) throw signInFault(endedUnused[found.reason], found);
    return refuse(parts, found, `${by}_used`, 'sign_in_used', changes);
  }
  if (!isSame(named.secret, found.pending.secrets[by])) return refuse(parts, found.pending, `${by}_wrong`, 'sign_in_unknown', changes);
  const { phase } = found.pending;
  if (phase.kind === 'failing' && isUnused(phase.reason)) throw signInFault(endedUnused[phase.reason], found.pending);
  if (phase.kind === 'exchanged' && isDoneAlready(phase.brought, broughtDigests(brought), changes)) throw signInFault('sign_in_unrecorded', found.pending);
  const reason = await reasonToEnd(parts, found.pending);
  if (reason === null) return found;
  const code = endedUnused[reason];
  if (changes && waitsForBrowser(found.pending)) await failSignIn(parts, found, reason, signInText(code, found.pending));
  throw signInFault(code, found.pending);
}

/** Why a sign-in under way must not go on; null: it may. */
async function reasonToEnd({ handler, clock, vault }: Parts, pending: PendingSignIn): Promise<keyof typeof endedUnused | null> {
  if ((await vault.keyOf(signerOf(pending.origin))) === null) return 'signer_erased';
  if (await isClosed(handler, pending.origin.workspace)) return 'workspace_closed';
  return isOver(pending, clock.now()) ? 'expired' : null;
}

/** Whether the browser whose answer was taken only looks again, or sends its last page again. */
function isDoneAlready(taken: BroughtDigests | null, { cookie, answer }: BroughtDigests, changes: boolean): boolean {
  return taken !== null && isSame(cookie, taken.cookie) && (!changes || isSame(answer, taken.answer));
}

/**
 * Turns a request away, and puts that on record when it was one that could have changed something.
 * @throws Fault of this code, always
 */
export async function refuse(parts: Pick<Parts, 'handler'>, signIn: Pick<EndedSignIn, 'signInId' | 'serverId' | 'serverName' | 'origin'>, reason: string, code: SignInText, changes: boolean): Promise<never> {
  if (changes) await turnAway(parts, signIn, reason);
  throw signInFault(code, code === 'sign_in_unknown' ? null : signIn);
}
