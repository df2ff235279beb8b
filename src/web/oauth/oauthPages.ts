/** Who may use the tools with the account that is signed in with. */
export interface Audience {
  readonly who: 'everyone' | 'roles' | 'signer';
  /** Role ids, 1 to 20 digits each; empty unless `who` is `roles`. */
  readonly roles: readonly string[];
}

/** What a link offers to begin. Names are as they came; the pages make them safe to show. */
export interface OfferedSignIn {
  readonly server: string;
  /** Scheme, host and port of the server. */
  readonly address: string;
  readonly workspace: string;
  /** Who asked for the link. */
  readonly admin: string;
  /** Of the authorization server's issuer, in punycode. */
  readonly host: string;
  /** Host of the issuer signed in at before, when that is another issuer than now; else null. */
  readonly hostBefore: string | null;
  /** Origin of the authorization endpoint, where `begin` sends the browser. */
  readonly formTarget: string;
  /** null: none is asked for by name. */
  readonly scopes: readonly string[] | null;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** What is chosen as the page opens. */
  readonly audience: Audience;
  /** The command that puts the server to use afterwards, when it is disabled; else null. */
  readonly enabling: string | null;
  /** Whether anybody in the workspace can have roles. */
  readonly hasRoles: boolean;
  /** Whether the admin is no member of the workspace's guild. */
  readonly isOutsider: boolean;
  readonly csrf: string;
  /** Of this rendering alone; its form sends it back. */
  readonly page: string;
}

/** The value of a cookie of the browser, by the `cookieName` of `begin`. */
export type CookieOf = (name: string) => string | null;

/** What came back from the authorization server, by way of the browser. */
export interface ReturnedAnswer {
  readonly state: string;
  readonly cookie: CookieOf;
  readonly code: string | null;
  readonly iss: string | null;
  readonly error: string | null;
  readonly errorDescription: string | null;
}

/** What is confirmed before the answer is used. */
export interface ReturnedSignIn {
  readonly server: string;
  readonly workspace: string;
  readonly admin: string;
  readonly host: string;
  /** Who will be able to use the tools, as a part of a sentence: `everyone in the workspace`. */
  readonly audience: string;
  readonly csrf: string;
  /** Why it comes to nothing, as a sentence, when the authorization server said no; confirming then ends the sign-in. */
  readonly refused: string | null;
}

/**
 * What the pages have done for them. Each function may throw a Fault, whose message is shown when it is about the sign-in; everything else that
 * is thrown is reported and not shown. `show` and `returned` change nothing: previews and prefetches reach them.
 */
export interface OAuthPages {
  show(link: string, cookie: CookieOf): Promise<OfferedSignIn>;
  /** A browser that has the cookie already may begin again, and so may one whose button was pressed twice on one page. */
  begin(input: { readonly link: string; readonly csrf: string; readonly page: string; readonly audience: Audience; readonly cookie: CookieOf }): Promise<{
    /** The authorization request. */
    readonly location: string;
    /** One for each sign-in, so that two in one browser do not meet: `toolledger-signin-<id>`. */
    readonly cookieName: string;
    /** Of `A-Za-z0-9_-`. */
    readonly cookie: string;
    readonly maxAgeSeconds: number;
  }>;
  returned(input: ReturnedAnswer): Promise<ReturnedSignIn>;
  finish(input: ReturnedAnswer & { readonly csrf: string }): Promise<FinishedSignIn>;
}

/** What a sign-in came to. */
export interface FinishedSignIn {
  readonly server: string;
  readonly workspace: string;
  /** false: the authorization server said no, or the account is not used any more. */
  readonly signedIn: boolean;
  /** Whether the server can be used with the account. */
  readonly usable: boolean;
  readonly sentence: string;
}
