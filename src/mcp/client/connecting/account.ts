/**
 * What there is after a refusal: a token got for it (`renewed`), one that somebody else had put there before (`replaced`),
 * nothing until somebody signs in again (`over`), which is on record then, or the account of another sign-in, which is
 * not for who was let in with this one (`superseded`).
 */
export type AfterRefusal = 'renewed' | 'replaced' | 'over' | 'superseded';

/** An account at a server that somebody signed in to: what its requests are authenticated with. */
export interface Account {
  /** The access token as it is now, visible ASCII; null when the account cannot be used any more. */
  token(): string | null;
  /** Everything secret that is or was in use with the server; it may still echo what was replaced. */
  secrets(): readonly string[];
  /** Looks whether the account may still be used, before each request; `token` is null when it may not. */
  check(): Promise<void>;
  /**
   * The server refused a token (HTTP 401).
   * @throws AccountFault when it could not be found out whether there is another
   */
  renew(refused: string): Promise<AfterRefusal>;
  /**
   * A token is not enough, and there is no way to a better one but to sign in again.
   * @param scopes what is missing, as the server says
   */
  lapse(refused: string, reason: 'refused_again' | 'insufficient_scope', scopes: readonly string[]): Promise<Exclude<AfterRefusal, 'renewed'>>;
}

/** Where a server is and how to authenticate: with a bearer token somebody pasted, an account, or nothing. */
export interface ServerTarget {
  readonly url: string;
  readonly token: string | null;
  readonly account?: Account;
}

/** What a refused request was authenticated with. */
export type CredentialKind = 'none' | 'token' | 'account';

export function credentialKind({ token, account }: ServerTarget): CredentialKind {
  if (account !== undefined) return 'account';
  return token === null ? 'none' : 'token';
}

/** An account could not be used for a request: its authorization server could not be asked for another token, or it is over. */
export class AccountFault extends Error {
  override readonly name = 'AccountFault';

  constructor(
    message: string,
    readonly reason: 'authorization_unreachable' | 'account_replaced' | 'needs_reauthorization' = 'authorization_unreachable',
  ) {
    super(message);
  }
}

/** The account cannot be used any more, and nothing was sent. */
export function accountOver(): AccountFault {
  return new AccountFault('The account that was signed in cannot be used any more.', 'needs_reauthorization');
}

/** The account was refused, and there is another one now. */
export function accountReplaced(): AccountFault {
  return new AccountFault('Another account was signed in meanwhile, and it may be meant for other people. The server did nothing; try again.', 'account_replaced');
}
