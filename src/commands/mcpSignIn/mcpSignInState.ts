import type { McpSignInEvent } from '../../events/catalogue/mcpSignIn.js';
import type { EventPlace } from '../decider.js';

type Data<Type extends McpSignInEvent['type']> = Extract<McpSignInEvent, { type: Type }>['data'];

/** The account that a server's tools are used with. */
export interface Grant extends Omit<Data<'McpSignInCompleted'>, 'serverId' | 'expiresAt'> {
  /** What was asked for; null: nothing in particular. */
  readonly requested: readonly string[] | null;
  /** When it was signed in, in milliseconds since the epoch. */
  readonly since: number;
  /** Why it cannot be used until somebody signs in again; null while it can. */
  readonly lapsed: string | null;
}

/** How accounts at one server stand. */
export interface McpSignInState {
  /** Sign-ins that were begun and have not ended, by id: where, what was asked for, and since when, in milliseconds since the epoch. */
  readonly open: ReadonlyMap<string, Pick<Data<'McpSignInStarted'>, 'issuer' | 'scopes'> & { readonly since: number }>;
  readonly grant: Grant | null;
  /** Where the last account was signed in; outlives the grant. */
  readonly issuer: string | null;
  /** What the next sign-in has to ask for at least. */
  readonly wanted: readonly string[];
  /** Attempts turned away since the last sign-in was begun. */
  readonly turnedAway: number;
}

export const initialSignInState: McpSignInState = { open: new Map(), grant: null, issuer: null, wanted: [], turnedAway: 0 };

/** Where the last account was signed in, when that was elsewhere than at this issuer; else null. */
export function issuerBefore({ issuer: last }: Pick<McpSignInState, 'issuer'>, issuer: string): string | null {
  return last === issuer ? null : last;
}

/** OpenID Connect Core §11: what brings a refresh token. */
export const offlineAccess = 'offline_access';

/** Why an account lapsed that is good, but not for everything: a renewed token changes nothing about that. */
export const scopesMissing = 'insufficient_scope';

/** Folds one event into how accounts at a server stand. */
export function evolveMcpSignIn(state: McpSignInState, event: McpSignInEvent, { recordedAt }: Pick<EventPlace, 'recordedAt'>): McpSignInState {
  switch (event.type) {
    case 'McpSignInStarted': {
      const { signInId, issuer, scopes } = event.data;
      return { ...state, open: new Map(state.open).set(signInId, { issuer, scopes, since: recordedAt }), turnedAway: 0 };
    }
    case 'McpSignInCompleted': {
      const { signInId, issuer, signer, scopes, audience, renewable } = event.data;
      const requested = state.open.get(signInId)?.scopes ?? null;
      const grant = { signInId, issuer, signer, scopes, requested, audience, renewable, since: recordedAt, lapsed: null };
      return { ...state, open: without(state.open, signInId), grant, issuer, wanted: [] };
    }
    case 'McpSignInFailed':
      return { ...state, open: without(state.open, event.data.signInId) };
    case 'McpSignInRefused':
      return { ...state, turnedAway: state.turnedAway + 1 };
    case 'McpTokenRefreshed':
      return { ...state, grant: state.grant && { ...state.grant, scopes: event.data.scopes ?? state.grant.scopes, lapsed: state.grant.lapsed === scopesMissing ? scopesMissing : null } };
    case 'McpReauthorizationRequired':
      return { ...state, grant: state.grant && { ...state.grant, lapsed: event.data.reason }, wanted: event.data.scopes };
    case 'McpSignedOut':
      return { ...state, grant: null, wanted: [] };
    case 'McpTokensGivenUp':
      return state;
  }
}

function without(open: McpSignInState['open'], signInId: string): McpSignInState['open'] {
  const left = new Map(open);
  left.delete(signInId);
  return left;
}
