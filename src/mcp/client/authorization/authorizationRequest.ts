import { createHash } from 'node:crypto';
import type { AuthorizationServer } from './discovery/authorizationServer.js';
import type { OAuthClient } from './client/oauthClient.js';
import { offlineAccess } from '../../../commands/mcpSignIn/mcpSignInState.js';

/** Bytes of a verifier: 256 bits, as RFC 7636 §7.1 recommends. */
const verifierBytes = 32;

/** Draws a PKCE verifier (RFC 7636 §4.1). */
export function newVerifier(randomBytes: (size: number) => Buffer): string {
  return randomBytes(verifierBytes).toString('base64url');
}

export interface AuthorizationRequest {
  readonly server: Pick<AuthorizationServer, 'authorizationEndpoint'>;
  readonly client: Pick<OAuthClient, 'clientId'>;
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
  /** null leaves them to the authorization server. */
  readonly scopes: readonly string[] | null;
  readonly resource: string;
}

/** Where the admin's browser is sent to sign in (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2). */
export function authorizationUrl({ server, client, redirectUri, state, verifier, scopes, resource }: AuthorizationRequest): string {
  // A query that the endpoint has must stay (RFC 6749 §3.1); what we say stands once.
  const url = new URL(server.authorizationEndpoint);
  const say = (name: string, value: string): void => url.searchParams.set(name, value);
  say('response_type', 'code');
  say('client_id', client.clientId);
  say('redirect_uri', redirectUri);
  say('state', state);
  say('code_challenge', createHash('sha256').update(verifier).digest('base64url'));
  say('code_challenge_method', 'S256');
  say('resource', resource);
  if (scopes !== null && scopes.length > 0) say('scope', scopes.join(' '));
  // OpenID Connect Core §11: without consent servers give no lasting access.
  if (scopes?.includes(offlineAccess) === true) say('prompt', 'consent');
  return url.href;
}
