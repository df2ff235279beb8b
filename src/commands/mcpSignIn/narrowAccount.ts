import { offlineAccess, scopesMissing, type McpSignInState } from './mcpSignInState.js';
import { othersNames } from '../../platform/text/othersNames.js';

/** How far an account goes, as the views and the ledger know it. */
export interface AccountReach {
  readonly lapsed: string | null;
  /** What was granted; null: nobody said. */
  readonly scopes: readonly string[] | null;
  /** What the next sign-in has to ask for. */
  readonly wanted: readonly string[];
}

/** How far the account on record goes; null: there is none. */
export function accountReach({ grant, wanted }: McpSignInState): AccountReach | null {
  return grant && { lapsed: grant.lapsed, scopes: grant.scopes, wanted };
}

/** Whether an account is good, and only narrower than what was wanted of it. */
export function isNarrow({ lapsed }: Pick<AccountReach, 'lapsed'>): boolean {
  return lapsed === scopesMissing;
}

/** The scopes that a narrow account lacks; what brings renewals is no right to anything. */
export function lackedScopes({ lapsed, scopes, wanted }: AccountReach): readonly string[] {
  return isNarrow({ lapsed }) ? wanted.filter((scope) => scopes?.includes(scope) !== true && scope !== offlineAccess) : [];
}

/** What is wrong with a narrow account, as a part of a sentence. @param named the scopes in their quotes; blank where nobody named any */
export function lacksText(named: string): string {
  return `still good, but lacks scopes${named === '' ? ' that the server did not name' : `: ${named}`}`;
}

/** Says so of an account on record, as a sentence. */
export function narrowText(account: AccountReach): string {
  return `The account that was signed in is ${lacksText(othersNames(lackedScopes(account)))}.`;
}

/** What helps beside signing in again, its commands not written out yet: an account that is too narrow for one tool is good for the others, which its server is parked for all the same. */
export const doWithout = 'Or do without the tool that wants them: switch it off with `toolledger mcp tool off`, then look again with `toolledger mcp refresh`.';
