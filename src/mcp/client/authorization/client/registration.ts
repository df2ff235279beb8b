import { dynamicClientRegistrationRequest } from 'oauth4webapi';
import { z } from 'zod';
import { AuthorizationFault, faultOfNetwork } from '../authorizationFault.js';
import type { AuthorizationFetch } from '../authorizationFetch.js';
import type { AuthorizationServer } from '../discovery/authorizationServer.js';
import { clientMetadata, type AuthMethod } from './clientMetadata.js';
import { serverWords } from '../../failures/serverWords.js';
import { jsonIn } from '../tokens/jsonIn.js';
import type { OAuthClient } from './oauthClient.js';
import { errorWords, oauthErrorIn } from '../tokens/oauthError.js';
import { through } from '../tokens/oauthRequest.js';

/** What is registered. */
export interface Registration {
  readonly redirectUri: string;
  /** All scopes that may be needed: to ask for another one later is refused by servers that keep to what was registered. */
  readonly scopes: readonly string[];
  readonly version: string;
  readonly now: number;
}

/** RFC 6749 §A.1 and §A.2. */
const printable = (most: number) => z.string().min(1).max(most).regex(/^[\x20-\x7e]*$/);

/** RFC 7591 §3.2.1, as far as it is used. */
const registered = z.object({
  client_id: printable(2_048),
  client_secret: printable(4_096).nullish(),
  client_secret_expires_at: z.number().min(0).nullish(),
  token_endpoint_auth_method: z.string().nullish(),
  redirect_uris: z.array(z.string()).nullish(),
});

/** A secret that is handed to whoever asks proves little, and a lost or expired one ends the sign-in: none is preferred. */
const preferred: readonly AuthMethod[] = ['none', 'client_secret_basic', 'client_secret_post'];

/**
 * Registers a client (RFC 7591).
 * @throws AuthorizationFault `registration_unsupported` when no way to prove ourselves is common to both, `registration_refused`
 */
export async function register(server: AuthorizationServer, wish: Registration, fetch: AuthorizationFetch, signal: AbortSignal): Promise<OAuthClient> {
  const subject = `The authorization server ${new URL(server.issuer).origin}`;
  const asked = commonMethod(server, subject);
  const answer = await send(server, { ...wish, asked }, { subject, fetch, signal });
  const client = checked(answer, wish.redirectUri, subject);
  const secret = client.client_secret ?? null;
  const authMethod = methodOf(client.token_endpoint_auth_method ?? null, secret, asked);
  if (authMethod === null) throw refused(subject, 'the client has to prove itself in a way that was not asked for');
  const secretExpiresAt = authMethod === 'none' ? null : expiry(client.client_secret_expires_at ?? 0);
  if (secretExpiresAt !== null && secretExpiresAt <= wish.now) throw refused(subject, 'the secret it gave has already expired');
  return {
    clientId: client.client_id,
    clientSecret: authMethod === 'none' ? null : secret,
    authMethod,
    source: 'registered',
    redirectUri: wish.redirectUri,
    scopes: wish.scopes,
    secretExpiresAt,
  };
}

/** RFC 8414 §2: a server that does not say takes `client_secret_basic`. */
function commonMethod({ tokenAuthMethods }: AuthorizationServer, subject: string): AuthMethod {
  const offered = tokenAuthMethods ?? ['client_secret_basic'];
  const common = preferred.find((method) => offered.includes(method));
  if (common !== undefined) return common;
  throw new AuthorizationFault('registration_unsupported', `${subject} offers no way for clients to prove themselves that this program knows.${serverWords(offered.slice(0, 5).join(', '))}`);
}

/** The library only writes it out, though its type would let it be changed. */
type WritableMetadata = Parameters<typeof dynamicClientRegistrationRequest>[1];

interface Sending {
  readonly subject: string;
  readonly fetch: AuthorizationFetch;
  readonly signal: AbortSignal;
}

async function send(server: AuthorizationServer, { asked, ...wish }: Registration & { readonly asked: AuthMethod }, { subject, fetch, signal }: Sending): Promise<unknown> {
  const endpoints = { issuer: server.issuer, ...(server.registrationEndpoint !== null && { registration_endpoint: server.registrationEndpoint }) };
  const description = clientMetadata({ ...wish, clientId: null, authMethod: asked });
  try {
    const response = await dynamicClientRegistrationRequest(endpoints, description as WritableMetadata, through(fetch, signal));
    const document = jsonIn(await response.text());
    const error = oauthErrorIn(document);
    if (error !== null) throw refused(subject, 'it answered with an error', errorWords(error));
    if (!response.ok) throw refused(subject, `it answered HTTP ${response.status}`);
    return document;
  } catch (error) {
    const fault = faultOfNetwork(error, 'authorization_server_unreachable', `${subject} could not be asked to register a client`);
    throw fault instanceof AuthorizationFault && fault.code === 'metadata_unusable' ? refused(subject, 'it redirects registrations, which is not followed') : fault;
  }
}

function checked(answer: unknown, redirectUri: string, subject: string): z.infer<typeof registered> {
  const { success, data, error } = registered.safeParse(answer);
  if (!success) throw refused(subject, `in its answer ${String(error.issues[0]?.path[0] ?? 'everything')} is missing or not as it must be`);
  if (data.redirect_uris != null && !data.redirect_uris.includes(redirectUri)) throw refused(subject, 'it registered other addresses to come back to');
  return data;
}

/** @returns null when the client could not prove itself as the server expects */
function methodOf(given: string | null, secret: string | null, asked: AuthMethod): AuthMethod | null {
  // RFC 7591 §2: a method that is not named is `client_secret_basic`, of which only a client with a secret is capable.
  const bySecret = asked === 'none' ? 'client_secret_basic' : asked;
  const meant = given ?? (secret === null ? 'none' : bySecret);
  const method = preferred.find((known) => known === meant);
  return method === undefined || (method !== 'none' && secret === null) ? null : method;
}

/** RFC 7591 §3.2.1: seconds since the epoch, 0 for never. */
function expiry(seconds: number): number | null {
  const ms = Math.floor(seconds * 1_000);
  return seconds === 0 || !Number.isSafeInteger(ms) ? null : ms;
}

/** @param words the server's own, as they end a message */
function refused(subject: string, why: string, words = ''): AuthorizationFault {
  return new AuthorizationFault('registration_refused', `${subject} did not register a client: ${why}. Register one there by hand and give it with \`toolledger mcp sign-in --client-id ID\`.${words}`);
}
