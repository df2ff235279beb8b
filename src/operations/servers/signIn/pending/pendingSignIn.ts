import type { Origin } from '../../../../commands/commandHandler.js';
import type { grantAudiences } from '../../../../events/catalogue/mcpSignIn.js';
import type { AuthorizationServer } from '../../../../mcp/client/authorization/discovery/authorizationServer.js';
import type { OAuthClient } from '../../../../mcp/client/authorization/client/oauthClient.js';
import type { TokenSet } from '../../../../mcp/client/authorization/tokens/tokenAnswer.js';

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

/** By whom the answer was brought that was taken; null: none was. */
export function broughtTo(phase: SignInPhase): BroughtDigests | null {
  return 'brought' in phase ? phase.brought : null;
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
