/**
 * What an admin can do about a failure where looking again does not help, as a sentence; its commands are written out by
 * whoever knows the server.
 * @param hasAccount whether it is used with an account that was signed in
 */
export function remedyOf(failure: string, hasAccount: boolean): string | null {
  switch (failure) {
    case 'needs_sign_in':
      return 'Sign in with `toolledger mcp sign-in`, or give it a token with `toolledger mcp set-token`.';
    case 'needs_reauthorization':
      return 'Sign in again with `toolledger mcp sign-in`.';
    case 'unauthorized':
      return hasAccount ? 'Sign in with another account, with `toolledger mcp sign-in`.' : 'Set another token with `toolledger mcp set-token`.';
    default:
      return null;
  }
}
