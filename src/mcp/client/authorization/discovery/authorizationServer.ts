import { z } from 'zod';
import { AuthorizationFault, faultOfNetwork } from '../authorizationFault.js';
import type { AuthorizationFetch } from '../authorizationFetch.js';
import { serverWords } from '../../failures/serverWords.js';
import { checkedMetadata, firstDocument } from './readMetadata.js';
import { usableScopes } from '../scopeTokens.js';
import { serverMetadataUrls } from './wellKnown.js';

/** What is kept of an authorization server that passed every check; plain JSON. */
export interface AuthorizationServer {
  /** As it is written, character by character: it is compared, never normalised. */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string | null;
  readonly revocationEndpoint: string | null;
  /** Whether its authorization responses say who they come from (RFC 9207). */
  readonly issParameter: boolean;
  /** Whether it takes the URL of a client's metadata for a client id. */
  readonly metadataDocuments: boolean;
  /** How clients may prove themselves at the token endpoint; null when it does not say. */
  readonly tokenAuthMethods: readonly string[] | null;
  readonly scopes: readonly string[] | null;
}

const url = z.string().min(1).max(500);
const names = z.array(z.string().max(200)).max(1_000);

/** RFC 8414 §2, as far as it is used. */
const serverMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: url,
  token_endpoint: url,
  registration_endpoint: url.nullish(),
  revocation_endpoint: url.nullish(),
  response_types_supported: names.nullish().refine((types) => types == null || types.includes('code')),
  code_challenge_methods_supported: names.nullish(),
  authorization_response_iss_parameter_supported: z.boolean().nullish(),
  client_id_metadata_document_supported: z.boolean().nullish(),
  token_endpoint_auth_methods_supported: names.nullish(),
  scopes_supported: z.array(z.string()).max(10_000).nullish(),
});

type ServerMetadata = z.infer<typeof serverMetadata>;

/**
 * Reads and checks the metadata of the authorization server that an issuer identifier names.
 * @param issuer as the resource's metadata writes it
 * @throws AuthorizationFault
 */
export async function readAuthorizationServer(issuer: string, fetch: AuthorizationFetch, signal: AbortSignal): Promise<AuthorizationServer> {
  const subject = `The authorization server ${requireIssuer(issuer)}`;
  const urls = serverMetadataUrls(issuer);
  const found = await firstDocument(urls, { subject, unreachable: 'authorization_server_unreachable' }, fetch, signal);
  if (found.document === null) {
    throw new AuthorizationFault('metadata_unusable', `${subject} has no metadata at the ${urls.length} places where it may lie (${found.instead.join(', ')}).`);
  }
  const metadata = checkedMetadata(serverMetadata, found.document, subject);
  if (metadata.issuer !== issuer) throw otherIssuer(subject, metadata.issuer, issuer);
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
    throw new AuthorizationFault('pkce_unsupported', `${subject} does not say that it supports PKCE with S256, without which codes can be stolen (MCP forbids it). Its operator must add code_challenge_methods_supported.`);
  }
  const server = kept(metadata);
  await requireEndpoints(server, subject, fetch);
  return server;
}

/**
 * RFC 8414 §2: an issuer identifier is a URL without query and fragment. Whether it may be reached is judged when it is.
 * @returns its origin
 */
function requireIssuer(issuer: string): string {
  const wrong = !/^https?:\/\/[^\s\\?#@]+$/i.test(issuer) || !URL.canParse(issuer);
  if (wrong) throw new AuthorizationFault('metadata_unusable', 'The server names an authorization server that is no URL such as https://as.example. Its operator must correct authorization_servers.');
  return new URL(issuer).origin;
}

function otherIssuer(subject: string, given: string, issuer: string): AuthorizationFault {
  const bySlash = given === `${issuer}/` || issuer === `${given}/`;
  const [how, words] = bySlash ? ['with a final slash more or less', ''] : ['something else', serverWords(given)];
  return new AuthorizationFault('issuer_mismatch', `${subject} calls itself ${how}, which is not the issuer that the server names. Both must be the same, character by character (RFC 8414 §3.3); one of their operators must correct it.${words}`);
}

function kept(metadata: ServerMetadata): AuthorizationServer {
  return {
    issuer: metadata.issuer,
    authorizationEndpoint: metadata.authorization_endpoint,
    tokenEndpoint: metadata.token_endpoint,
    registrationEndpoint: metadata.registration_endpoint ?? null,
    revocationEndpoint: metadata.revocation_endpoint ?? null,
    issParameter: metadata.authorization_response_iss_parameter_supported === true,
    metadataDocuments: metadata.client_id_metadata_document_supported === true,
    tokenAuthMethods: metadata.token_endpoint_auth_methods_supported ?? null,
    scopes: metadata.scopes_supported == null ? null : usableScopes(metadata.scopes_supported),
  };
}

/**
 * Every endpoint is judged before anybody is sent there, also the one that only a browser visits: else an admin's browser
 * could be led into their own network, or to `javascript:`. RFC 6749 §3.1: no endpoint has a fragment.
 */
async function requireEndpoints(server: AuthorizationServer, subject: string, fetch: AuthorizationFetch): Promise<void> {
  const endpoints = [server.authorizationEndpoint, server.tokenEndpoint, server.registrationEndpoint, server.revocationEndpoint];
  for (const endpoint of endpoints) {
    if (endpoint === null) continue;
    if (endpoint.includes('#')) throw new AuthorizationFault('metadata_unusable', `${subject} names an endpoint with a fragment, which no endpoint may have.`);
    try {
      await fetch.check(endpoint);
    } catch (error) {
      throw faultOfNetwork(error, 'authorization_server_unreachable', `${subject} names an endpoint that cannot be used`);
    }
  }
}
