import type { clientSources, grantAudiences, McpSignInEvent, revocations } from '../../events/catalogue/mcpSignIn.js';
import { accepted, refused } from '../accepted.js';
import type { Decider, Decision } from '../decider.js';
import { evolveMcpSignIn, initialSignInState, issuerBefore, scopesMissing, type McpSignInState } from './mcpSignInState.js';

/** Attempts that are turned away are recorded up to this number, so that nobody can fill the ledger with them. */
const mostTurnedAway = 20;

/** What can be asked of the accounts at one server. */
export type McpSignInCommand = { readonly serverId: string } & (
  | {
      readonly type: 'Start';
      readonly signInId: string;
      readonly issuer: string;
      readonly client: (typeof clientSources)[number];
      /** Null: nothing in particular. */
      readonly scopes: readonly string[] | null;
    }
  | {
      readonly type: 'Complete';
      readonly signInId: string;
      readonly signer: string;
      readonly scopes: readonly string[] | null;
      readonly audience: (typeof grantAudiences)[number];
      readonly renewable: boolean;
      readonly expiresAt: number | null;
    }
  /** Nothing was begun: how to sign in was not found out, or may not be gone along with. */
  | { readonly type: 'FailToStart'; readonly signInId: string; readonly reason: string }
  /** What is not open any more has ended already. */
  | { readonly type: 'Fail'; readonly signInId: string; readonly reason: string }
  | { readonly type: 'TurnAway'; readonly signInId: string; readonly reason: string }
  /** Says nothing of an account that another sign-in brought since. */
  | {
      readonly type: 'RecordRefresh';
      readonly signInId: string;
      readonly rotated: boolean;
      readonly expiresAt: number | null;
      /** What is granted now; null: nobody said, so it is as before. */
      readonly scopes: readonly string[] | null;
    }
  /** The same; `scopes`: what was missing. */
  | { readonly type: 'RequireReauthorization'; readonly signInId: string; readonly reason: string; readonly scopes: readonly string[] }
  | { readonly type: 'SignOut'; readonly reason: string; readonly revocation: (typeof revocations)[number] }
  /** Of tokens that are not those of the account on record, or of one that lapsed. */
  | { readonly type: 'GiveUpTokens'; readonly signInId: string; readonly reason: string; readonly revocation: (typeof revocations)[number] }
);

/** Why a command about accounts is refused. */
export type McpSignInRefusal =
  /** No sign-in of this id is under way. */
  { readonly code: 'sign_in_unknown'; readonly signInId: string };

/** The stream of the accounts at one server. */
export function mcpSignInStream(serverId: string): string {
  return `mcpSignIn-${serverId}`;
}

/** The sign-ins at one server, and the account its tools are used with. */
export const mcpSignInDecider: Decider<McpSignInCommand, McpSignInState, McpSignInEvent, McpSignInRefusal> = {
  initialState: () => initialSignInState,
  decide,
  evolve: evolveMcpSignIn,
};

function decide(command: McpSignInCommand, state: McpSignInState): Decision<McpSignInEvent, McpSignInRefusal> {
  const { serverId } = command;
  switch (command.type) {
    case 'Start': {
      const { signInId, issuer, client, scopes } = command;
      if (state.open.has(signInId)) return accepted();
      return accepted({ type: 'McpSignInStarted', data: { serverId, signInId, issuer, issuerBefore: issuerBefore(state, issuer), client, scopes } });
    }
    case 'Complete': {
      const { signInId, signer, scopes, audience, renewable, expiresAt } = command;
      if (state.grant?.signInId === signInId) return accepted();
      const begun = state.open.get(signInId);
      if (begun === undefined) return refused({ code: 'sign_in_unknown', signInId });
      return accepted({ type: 'McpSignInCompleted', data: { serverId, signInId, issuer: begun.issuer, signer, scopes, audience, renewable, expiresAt } });
    }
    case 'FailToStart': {
      const { signInId, reason } = command;
      return accepted({ type: 'McpSignInFailed', data: { serverId, signInId, reason } });
    }
    case 'Fail': {
      const { signInId, reason } = command;
      return state.open.has(signInId) ? accepted({ type: 'McpSignInFailed', data: { serverId, signInId, reason } }) : accepted();
    }
    case 'TurnAway': {
      const { signInId, reason } = command;
      return state.turnedAway < mostTurnedAway ? accepted({ type: 'McpSignInRefused', data: { serverId, signInId, reason } }) : accepted();
    }
    case 'RecordRefresh': {
      const { signInId, rotated, expiresAt } = command;
      if (state.grant?.signInId !== signInId) return accepted();
      const scopes = command.scopes !== null && isOther(command.scopes, state.grant.scopes) ? command.scopes : null;
      return accepted({ type: 'McpTokenRefreshed', data: { serverId, rotated, expiresAt, scopes } });
    }
    case 'RequireReauthorization':
      return requireReauthorization(command, state);
    case 'SignOut': {
      const { reason, revocation } = command;
      return state.grant === null ? accepted() : accepted({ type: 'McpSignedOut', data: { serverId, reason, revocation } });
    }
    case 'GiveUpTokens': {
      const { signInId, reason, revocation } = command;
      return accepted({ type: 'McpTokensGivenUp', data: { serverId, signInId, reason, revocation } });
    }
  }
}

function isOther(scopes: readonly string[], before: readonly string[] | null): boolean {
  return before === null || scopes.length !== before.length || scopes.some((scope) => !before.includes(scope));
}

/**
 * The next sign-in asks for what is missing, what was asked for and what was granted together: an authorization server may
 * otherwise take away what it is not asked for again. What is missing comes first, so that no limit keeps it out.
 */
function requireReauthorization(
  { serverId, signInId, reason, scopes: missing }: Extract<McpSignInCommand, { type: 'RequireReauthorization' }>,
  { grant, wanted }: McpSignInState,
): Decision<McpSignInEvent, never> {
  if (grant?.signInId !== signInId) return accepted();
  const known = [...wanted, ...(grant.requested ?? []), ...(grant.scopes ?? [])];
  // What ends an account says more than that it was narrow.
  const endsNow = grant.lapsed === scopesMissing && reason !== scopesMissing;
  const isNew = grant.lapsed === null || endsNow || missing.some((scope) => !known.includes(scope));
  const scopes = [...new Set([...missing, ...known])].slice(0, 100);
  return isNew ? accepted({ type: 'McpReauthorizationRequired', data: { serverId, reason, scopes } }) : accepted();
}
