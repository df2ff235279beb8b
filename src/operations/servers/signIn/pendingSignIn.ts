import { createHash, timingSafeEqual } from 'node:crypto';
import type { Origin } from '../../../commands/commandHandler.js';
import type { grantAudiences } from '../../../events/catalogue/mcpSignIn.js';
import type { AuthorizationServer } from '../../../mcp/client/authorization/discovery/authorizationServer.js';
import type { OAuthClient } from '../../../mcp/client/authorization/client/oauthClient.js';
import type { TokenSet } from '../../../mcp/client/authorization/tokens/tokenAnswer.js';
import type { Secrets } from '../../../platform/vault/secrets.js';

/** Who will be able to use the tools with the account. */
export interface SignInAudience {
  readonly who: (typeof grantAudiences)[number];
  /** Of `roles`: members with one of these. */
  readonly roles: readonly string[];
}

/** By which it is seen that the browser that brought an answer comes again, and with the same one: SHA-256 of both. */
export interface BroughtDigests {
  readonly cookie: string;
  readonly answer: string;
}

/** What a browser has shown of a sign-in so far. */
export type SignInPhase =
  /** Nobody has followed the link to its end yet. */
  | { readonly kind: 'offered' }
  /** One browser was sent to the authorization server, from one rendering of our page. */
  | { readonly kind: 'redirected'; readonly cookie: string; readonly page: string; readonly verifier: string; readonly audience: SignInAudience }
  /** An answer was taken; there is no second one. */
  | { readonly kind: 'answered'; readonly audience: SignInAudience; readonly brought: BroughtDigests }
  /** It brought tokens, which nobody uses before all of it is on record. */
  | { readonly kind: 'exchanged'; readonly audience: SignInAudience; readonly brought: BroughtDigests; readonly tokens: TokenSet }
  /** It is over, and that is being put on record. */
  | { readonly kind: 'failing'; readonly reason: string; readonly brought: BroughtDigests | null };

/** A sign-in under way. Everything secret of it; lies in the vault only, and is deleted when it ends. */
export interface PendingSignIn {
  readonly signInId: string;
  readonly serverId: string;
  readonly serverName: string;
  /** The admin who began, and where. */
  readonly origin: Origin;
  readonly resource: string;
  readonly server: AuthorizationServer;
  /** Where the account before was signed in, when that was elsewhere. */
  readonly issuerBefore: string | null;
  readonly client: OAuthClient;
  readonly redirectUri: string;
  /** Null: nothing in particular is asked for. */
  readonly scopes: readonly string[] | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** What the link, the forms and the state hold beside the id. */
  readonly secrets: { readonly link: string; readonly form: string; readonly state: string };
  readonly phase: SignInPhase;
}

export interface VersionedSignIn {
  readonly pending: PendingSignIn;
  readonly version: string;
}

/**
 * What is left of a sign-in that has ended, until its time would have been over: by it is known what is brought a second
 * time. Nothing of it is secret.
 */
export interface EndedSignIn extends Pick<PendingSignIn, 'signInId' | 'serverId' | 'serverName' | 'origin' | 'expiresAt'> {
  /** SHA-256 of what the link and the state held. */
  readonly ended: { readonly link: string; readonly state: string };
  /** Of one whose answer was taken; else null. */
  readonly brought: BroughtDigests | null;
  /** Why one came to nothing, as a code; null when it was completed. */
  readonly reason: string | null;
}

const name = 'signIn';
const ownerOf = (signInId: string): string => `signIn-${signInId}`;

/** The sign-ins under way, and those that ended a moment ago, by id. */
export interface SignInStore {
  read(signInId: string): Promise<VersionedSignIn | EndedSignIn | null>;
  put(pending: PendingSignIn): Promise<void>;
  /** @returns the new version; null when it has changed since it was read: then nothing was */
  swap(pending: PendingSignIn, version: string): Promise<string | null>;
  /** Deletes everything secret of it. @returns false when it has changed since it was read: then nothing was */
  end(pending: PendingSignIn, version: string): Promise<boolean>;
  /** Those under way. */
  all(): Promise<readonly VersionedSignIn[]>;
  /** Deletes what is left of those whose time is over. */
  forgetEnded(now: number): Promise<void>;
}

export function signInStore(secrets: Pick<Secrets, 'readSecret' | 'putSecret' | 'swapSecret' | 'deleteSecrets' | 'secretOwners'>): SignInStore {
  const readFrom = async (owner: string): Promise<VersionedSignIn | EndedSignIn | null> => {
    const stored = await secrets.readSecret(owner, name);
    if (stored === null) return null;
    const signIn = JSON.parse(stored.value) as PendingSignIn | EndedSignIn;
    return 'ended' in signIn ? signIn : { pending: signIn, version: stored.version };
  };
  const readAll = async () => Promise.all((await secrets.secretOwners(name)).map(readFrom));
  const swap = (signIn: PendingSignIn | EndedSignIn, version: string) => secrets.swapSecret(ownerOf(signIn.signInId), name, JSON.stringify(signIn), version);
  return {
    read: (signInId) => readFrom(ownerOf(signInId)),
    put: (pending) => secrets.putSecret(ownerOf(pending.signInId), name, JSON.stringify(pending)),
    swap,
    end: async (pending, version) => (await swap(endedOf(pending), version)) !== null,
    all: async () => (await readAll()).filter((found) => found !== null && 'pending' in found),
    async forgetEnded(now) {
      for (const found of await readAll()) if (found !== null && 'ended' in found && found.expiresAt <= now) await secrets.deleteSecrets(ownerOf(found.signInId));
    },
  };
}

/** By whom the answer was brought that was taken; null: none was. */
export function broughtTo(phase: SignInPhase): BroughtDigests | null {
  return 'brought' in phase ? phase.brought : null;
}

function endedOf({ signInId, serverId, serverName, origin, expiresAt, phase, secrets: { link, state } }: PendingSignIn): EndedSignIn {
  const reason = phase.kind === 'failing' ? phase.reason : null;
  return { signInId, serverId, serverName, origin, expiresAt, ended: { link: digestOf(link), state: digestOf(state) }, brought: broughtTo(phase), reason };
}

/** A sign-in lasts so long, in milliseconds. */
export const signInLifeMs = 600_000;

/** Clocks are set right by a few seconds now and then, in milliseconds. */
const clockSlackMs = 60_000;

/** Whether its time is over; one that would end later than any that begins now was begun by a clock that was wrong by more than a minute. */
export function isOver({ expiresAt }: Pick<PendingSignIn, 'expiresAt'>, now: number): boolean {
  return expiresAt <= now || expiresAt > now + signInLifeMs + clockSlackMs;
}

/** Whether no answer was taken yet, so that nobody is about to end it. */
export function waitsForBrowser({ phase }: PendingSignIn): boolean {
  return phase.kind === 'offered' || phase.kind === 'redirected';
}

/** By which a secret is known again that is not kept. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** 256 random bits, as they can stand in a URL. */
export function newSignInSecret(randomBytes: (size: number) => Buffer): string {
  return randomBytes(32).toString('base64url');
}

/** An id and a secret as one word, which names a sign-in and proves that one was told of it. */
export function wordOf(signInId: string, secret: string): string {
  return `${signInId}.${secret}`;
}

/** Takes such a word apart; null when it is none. */
export function partsOf(word: string): { readonly signInId: string; readonly secret: string } | null {
  const parts = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/.exec(word);
  return parts?.[1] === undefined || parts[2] === undefined ? null : { signInId: parts[1], secret: parts[2] };
}

/** The cookie by which the browser of a sign-in is known again: one for each, so that two in one browser do not meet. */
export function cookieNameOf(signInId: string): string {
  return `toolledger-signin-${signInId}`;
}

/** Whether two secrets are the same; how long it takes tells nothing. */
export function isSame(given: string | null, known: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(known)];
  return a.length === b.length && timingSafeEqual(a, b);
}
