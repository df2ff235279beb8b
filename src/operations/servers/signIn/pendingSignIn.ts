import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Origin } from '../../../commands/commandHandler.js';
import type { grantAudiences } from '../../../events/catalogue/mcpSignIn.js';
import type { AuthorizationServer } from '../../../mcp/client/authorization/authorizationServer.js';
import type { OAuthClient } from '../../../mcp/client/authorization/oauthClient.js';
import type { Secrets } from '../../../platform/vault/secrets.js';

/** Who will be able to use the tools with the account. */
export interface SignInAudience {
  readonly who: (typeof grantAudiences)[number];
  /** Of `roles`: members with one of these. */
  readonly roles: readonly string[];
}

/** What a browser has shown of a sign-in so far. */
export type SignInPhase =
  /** Nobody has followed the link to its end yet. */
  | { readonly kind: 'offered' }
  /** One browser was sent to the authorization server. */
  | { readonly kind: 'redirected'; readonly cookie: string; readonly verifier: string; readonly audience: SignInAudience }
  /** An answer was taken; there is no second one. */
  | { readonly kind: 'answered'; readonly audience: SignInAudience };

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

const name = 'signIn';
const ownerOf = (signInId: string): string => `signIn-${signInId}`;

/** The sign-ins under way, by id. */
export interface SignInStore {
  read(signInId: string): Promise<VersionedSignIn | null>;
  put(pending: PendingSignIn): Promise<void>;
  /** @returns false when it has changed since it was read: then nothing was */
  swap(pending: PendingSignIn, version: string): Promise<boolean>;
  delete(signInId: string): Promise<void>;
  all(): Promise<readonly PendingSignIn[]>;
}

export function signInStore(secrets: Pick<Secrets, 'readSecret' | 'putSecret' | 'swapSecret' | 'deleteSecrets' | 'secretOwners' | 'getSecret'>): SignInStore {
  return {
    async read(signInId) {
      const stored = await secrets.readSecret(ownerOf(signInId), name);
      return stored === null ? null : { pending: JSON.parse(stored.value) as PendingSignIn, version: stored.version };
    },
    put: (pending) => secrets.putSecret(ownerOf(pending.signInId), name, JSON.stringify(pending)),
    swap: async (pending, version) => (await secrets.swapSecret(ownerOf(pending.signInId), name, JSON.stringify(pending), version)) !== null,
    delete: (signInId) => secrets.deleteSecrets(ownerOf(signInId)),
    async all() {
      const found = await Promise.all((await secrets.secretOwners(name)).map((owner) => secrets.getSecret(owner, name)));
      return found.flatMap((value) => (value === null ? [] : [JSON.parse(value) as PendingSignIn]));
    },
  };
}

/** 256 random bits, as they can stand in a URL. */
export function newSignInSecret(): string {
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
