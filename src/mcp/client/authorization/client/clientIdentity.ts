import { AuthorizationFault } from '../authorizationFault.js';
import type { AuthorizationFetch } from '../authorizationFetch.js';
import type { AuthorizationServer } from '../discovery/authorizationServer.js';
import type { AuthMethod } from './clientMetadata.js';
import type { OAuthClient } from './oauthClient.js';
import { register } from './registration.js';

export interface ClientWish {
  readonly server: AuthorizationServer;
  /** Who we were at this server so far; null also when that is not wished for. */
  readonly known: OAuthClient | null;
  /** What the admin registered there by hand. */
  readonly given: { readonly clientId: string; readonly clientSecret: string | null } | null;
  /** Where our own metadata document is served; null without a public URL. */
  readonly metadataDocumentUrl: string | null;
  readonly redirectUri: string;
  /** All that may be needed. */
  readonly scopes: readonly string[];
  readonly version: string;
  readonly now: number;
}

/**
 * Says who we are at an authorization server, in the order of MCP 2025-11-25 ("Client Registration Approaches"): given by
 * the admin, known from before, a metadata document where that is advertised, a registration.
 * @throws AuthorizationFault
 */
export async function chooseClient(wish: ClientWish, fetch: AuthorizationFetch, signal: AbortSignal): Promise<OAuthClient> {
  const { server, known, given, metadataDocumentUrl, redirectUri, scopes } = wish;
  if (given !== null) return givenClient(given, wish);
  if (known?.source === 'given') return { ...known, redirectUri, scopes };
  if (known?.source === 'registered' && isStillGood(known, wish)) return known;
  if (metadataDocumentUrl !== null && server.metadataDocuments) return documentClient(metadataDocumentUrl, wish);
  if (server.registrationEndpoint !== null) return register(server, wish, fetch, signal);
  throw noWay(wish);
}

function givenClient({ clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string | null }, { server, redirectUri, scopes }: ClientWish): OAuthClient {
  return { clientId, clientSecret, authMethod: clientSecret === null ? 'none' : secretMethod(server), source: 'given', redirectUri, scopes, secretExpiresAt: null };
}

/** RFC 8414 §2: a server that does not say takes `client_secret_basic`. */
function secretMethod({ tokenAuthMethods }: AuthorizationServer): AuthMethod {
  const onlyPost = tokenAuthMethods?.includes('client_secret_post') === true && !tokenAuthMethods.includes('client_secret_basic');
  return onlyPost ? 'client_secret_post' : 'client_secret_basic';
}

/** A registration that lacks what is needed now cannot be widened, so another one takes its place. */
function isStillGood(known: OAuthClient, { redirectUri, scopes, now }: ClientWish): boolean {
  const isCurrent = known.secretExpiresAt === null || known.secretExpiresAt > now;
  return isCurrent && known.redirectUri === redirectUri && scopes.every((scope) => known.scopes.includes(scope));
}

function documentClient(clientId: string, { redirectUri, scopes }: ClientWish): OAuthClient {
  return { clientId, clientSecret: null, authMethod: 'none', source: 'metadata_document', redirectUri, scopes, secretExpiresAt: null };
}

function noWay({ server, redirectUri }: ClientWish): AuthorizationFault {
  const { origin, pathname } = new URL(redirectUri);
  return new AuthorizationFault(
    'registration_unsupported',
    `The authorization server ${new URL(server.issuer).origin} registers no clients by itself. Register one there by hand, to come back to ${origin} with the path ${pathname}, and give it with \`toolledger mcp sign-in --client-id ID\`.`,
  );
}
