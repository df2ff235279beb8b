import { genericTokenEndpointRequest, revocationRequest } from 'oauth4webapi';
import { isJsonObject } from '../../../../platform/json.js';
import { netFaultIn } from '../../../../platform/net/netFault.js';
import { AuthorizationFault, faultOfNetwork, type AuthorizationFaultCode } from '../authorizationFault.js';
import type { AuthorizationFetch } from '../authorizationFetch.js';
import type { AuthorizationServer } from '../discovery/authorizationServer.js';
import { jsonIn } from './jsonIn.js';
import type { OAuthClient } from '../client/oauthClient.js';
import { errorWords, oauthErrorIn, type OAuthError } from './oauthError.js';
import { clientAuthentication, through } from './oauthRequest.js';
import { readTokenAnswer, type TokenSet } from './tokenAnswer.js';

/** Who asks whom. */
interface Asking {
  readonly server: AuthorizationServer;
  readonly client: OAuthClient;
}

export interface CodeExchange extends Asking {
  /** Where the code came back to, as the authorization request said. */
  readonly redirectUri: string;
  readonly code: string;
  readonly verifier: string;
  readonly resource: string;
  readonly now: number;
}

export interface TokenRefresh extends Asking {
  readonly refreshToken: string;
  readonly resource: string;
  readonly now: number;
}

/**
 * Gets tokens for a code (RFC 6749 §4.1.3), meant for one resource (RFC 8707 §2.2).
 * @throws AuthorizationFault
 */
export function exchangeCode({ redirectUri, code, verifier, resource, ...asking }: CodeExchange, fetch: AuthorizationFetch, signal: AbortSignal): Promise<TokenSet> {
  const parameters = { code, redirect_uri: redirectUri, code_verifier: verifier, resource };
  return askForTokens('authorization_code', parameters, { ...asking, secrets: [code, verifier] }, fetch, signal);
}

/**
 * Gets fresh tokens (RFC 6749 §6).
 * @returns with the refresh token to use from now on: the old one, when no new one came
 * @throws AuthorizationFault; after `token_lost` the old refresh token may be used up
 */
export async function refreshTokens({ refreshToken, resource, ...asking }: TokenRefresh, fetch: AuthorizationFetch, signal: AbortSignal): Promise<TokenSet> {
  const parameters = { refresh_token: refreshToken, resource };
  const fresh = await askForTokens('refresh_token', parameters, { ...asking, secrets: [refreshToken] }, fetch, signal);
  return { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken };
}

interface TokenAsking extends Asking {
  readonly now: number;
  /** What goes out and must not come back in a message. */
  readonly secrets: readonly string[];
}

async function askForTokens(grantType: string, parameters: Readonly<Record<string, string>>, { server, client, now, secrets }: TokenAsking, fetch: AuthorizationFetch, signal: AbortSignal): Promise<TokenSet> {
  const subject = `The authorization server ${new URL(server.issuer).origin}`;
  const known = client.clientSecret === null ? secrets : [...secrets, client.clientSecret];
  const { status, text } = await sent(subject, fetch, signal, (options) =>
    genericTokenEndpointRequest({ issuer: server.issuer, token_endpoint: server.tokenEndpoint }, { client_id: client.clientId }, clientAuthentication(client), grantType, { ...parameters }, options),
  );
  const document = jsonIn(text);
  const error = oauthErrorIn(document);
  if (status === 429 || (error !== null && passingErrors.has(error.error))) {
    throw new AuthorizationFault('authorization_server_unreachable', `${subject} answered HTTP ${status} when it was asked for a token, and gives none at the moment.`);
  }
  if (error !== null && status < 500) throw refusal(error, subject, client.source, known);
  // A page in place of a document, as of a proxy or of a server under maintenance, says nothing of the grant.
  if (status >= 300 || !isTokenDocument(document)) throw new AuthorizationFault('token_lost', `${subject} answered HTTP ${status} when it was asked for a token, and it is not known what became of it.`);
  const tokens = readTokenAnswer(document, now, known);
  if (typeof tokens === 'string') throw new AuthorizationFault('token_unusable', `${subject} gave no bearer token that can be used: in its answer ${tokens} is missing or not as it must be. The people who run it have to correct that.`);
  return tokens;
}

/** Whether an answer is about a token at all (RFC 6749 §5.1). */
function isTokenDocument(document: unknown): boolean {
  return isJsonObject(document) && Object.hasOwn(document, 'access_token');
}

/** Sends a request and reads its whole answer, telling what cannot have happened from what may have. */
async function sent(subject: string, fetch: AuthorizationFetch, signal: AbortSignal, request: (options: ReturnType<typeof through>) => Promise<Response>): Promise<{ readonly status: number; readonly text: string }> {
  const progress = { left: false };
  try {
    const response = await request(through(fetch, signal, () => (progress.left = true)));
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const net = netFaultIn(error);
    // A redirect is an answer, and there is no token in it.
    if (net?.code === 'redirect_refused') throw new AuthorizationFault('token_refused', `${subject} gave no token: ${net.message} Its operator must correct that.`);
    if (net === null || !progress.left) throw faultOfNetwork(error, 'authorization_server_unreachable', `${subject} could not be asked for a token`);
    throw new AuthorizationFault('token_lost', `${subject} was asked for a token and gave no usable answer, so it is not known what became of it: ${net.message}`);
  }
}

/** What authorization servers say when another time may be better. RFC 6749 knows the first two from another endpoint, RFC 8628 the third. */
const passingErrors: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error', 'slow_down']);

/** RFC 6749 §5.2 and RFC 8707 §2; what to do next depends on them. */
const codeOfError: ReadonlyMap<string, readonly [AuthorizationFaultCode, string]> = new Map([
  ['invalid_grant', ['invalid_grant', 'Sign in again with `toolledger mcp sign-in`.']],
  ['invalid_scope', ['invalid_scope', 'Sign in again with `toolledger mcp sign-in`.']],
  ['invalid_target', ['invalid_target', 'It gives no tokens for this server; its operator must correct that.']],
]);

/** What to do when the authorization server does not accept who we are. */
const unknownClient: { readonly [source in OAuthClient['source']]: string } = {
  given: 'It does not accept the client that was given, or its secret. Give another one with `toolledger mcp sign-in --client-id ID`, or have one registered with `toolledger mcp sign-in --register`.',
  metadata_document: 'It does not accept the metadata document of toolledger. See that it can read it, or register a client there by hand and give it with `toolledger mcp sign-in --client-id ID`.',
  registered: 'It no longer knows the client that was registered there. Sign in again with `toolledger mcp sign-in`, which registers anew.',
};

function refusal(error: OAuthError, subject: string, source: OAuthClient['source'], secrets: readonly string[]): AuthorizationFault {
  if (error.error === 'invalid_client') return new AuthorizationFault('invalid_client', `${subject} gave no token. ${unknownClient[source]}${errorWords(error)}`, secrets);
  const [code, next] = codeOfError.get(error.error) ?? ['token_refused', 'Sign in again with `toolledger mcp sign-in`, or ask whoever runs it.'];
  return new AuthorizationFault(code, `${subject} gave no token. ${next}${errorWords(error)}`, secrets);
}

/**
 * Takes tokens back (RFC 7009), the refresh token first: many servers end with it all that came from it. Never throws.
 * @returns `revoked` when none of them is good any more; `unsupported` when the server does not take all of them back
 */
export async function revokeTokens({ server, client, tokens }: Asking & { readonly tokens: Pick<TokenSet, 'accessToken' | 'refreshToken'> }, fetch: AuthorizationFetch, signal: AbortSignal): Promise<'revoked' | 'unsupported' | 'failed'> {
  if (server.revocationEndpoint === null) return 'unsupported';
  const endpoints = { issuer: server.issuer, revocation_endpoint: server.revocationEndpoint };
  const revoke = async (token: string, hint: string): Promise<'revoked' | 'unsupported' | 'failed'> => {
    try {
      const response = await revocationRequest(endpoints, { client_id: client.clientId }, clientAuthentication(client), token, { ...through(fetch, signal), additionalParameters: { token_type_hint: hint } });
      const error = oauthErrorIn(jsonIn(await response.text()));
      if (error?.error === 'unsupported_token_type') return 'unsupported';
      return response.ok ? 'revoked' : 'failed';
    } catch {
      return 'failed';
    }
  };
  const refresh = tokens.refreshToken === null ? null : await revoke(tokens.refreshToken, 'refresh_token');
  const access = await revoke(tokens.accessToken, 'access_token');
  const outcomes = [refresh, access].filter((outcome) => outcome !== null);
  return outcomes.find((outcome) => outcome === 'failed') ?? outcomes.find((outcome) => outcome === 'unsupported') ?? 'revoked';
}
