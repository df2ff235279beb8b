/** An account at a server that somebody signed in to: what its requests are authenticated with. */
export interface Account {
  /** The access token as it is now, visible ASCII; null when the account cannot be used any more. */
  token(): string | null;
  /** Everything secret of it that is in use. */
  secrets(): readonly string[];
  /**
   * The server refused a token (HTTP 401).
   * @returns whether there is another one to try
   * @throws AccountFault when that could not be found out
   */
  renew(refused: string): Promise<boolean>;
  /**
   * The account is not enough, until somebody signs in again.
   * @param scopes what is missing, as the server says
   */
  lapse(reason: 'refused_again' | 'insufficient_scope', scopes: readonly string[]): Promise<void>;
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

/** The authorization server could not be asked for another token. */
export class AccountFault extends Error {
  override readonly name = 'AccountFault';
}
