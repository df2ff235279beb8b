import { scopesMissing } from '../../../commands/mcpSignIn/mcpSignInState.js';
import { offlineAccess } from '../../../mcp/client/authorization/wantedScopes.js';
import { othersNames } from '../../../platform/text/othersNames.js';

/** How far an account goes, as the views and the ledger know it. */
export interface AccountReach {
  readonly lapsed: string | null;
  /** What was granted; null: nobody said. */
  readonly scopes: readonly string[] | null;
  /** What the next sign-in has to ask for. */
  readonly wanted: readonly string[];
}

/** Whether an account is good, and only narrower than what was wanted of it. */
export function isNarrow({ lapsed }: Pick<AccountReach, 'lapsed'>): boolean {
  return lapsed === scopesMissing;
}

/** The scopes that a narrow account lacks; what brings renewals is no right to anything. */
export function lackedScopes({ lapsed, scopes, wanted }: AccountReach): readonly string[] {
  return isNarrow({ lapsed }) ? wanted.filter((scope) => scopes?.includes(scope) !== true && scope !== offlineAccess) : [];
}

/** Says so, as a sentence. Where nobody said what was granted, everything that is wanted may have been. */
export function narrowText(account: AccountReach): string {
  const lacked = lackedScopes(account);
  const scopes = lacked.length > 0 ? `; not granted: ${othersNames(lacked)}` : account.wanted.length > 0 ? `; the next sign-in asks for: ${othersNames(account.wanted)}` : '';
  return `The account that was signed in is still good, but narrower than what was wanted of it${scopes}.`;
}
