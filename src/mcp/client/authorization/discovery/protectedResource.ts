import { z } from 'zod';
import { AuthorizationFault } from '../authorizationFault.js';
import type { AuthorizationFetch } from '../authorizationFetch.js';
import { checkedMetadata, firstDocument } from './readMetadata.js';
import { resourceCovers } from './resourceCovers.js';
import { usableScopes } from '../scopeTokens.js';
import { resourceMetadataUrls } from './wellKnown.js';

/** What a protected resource says of itself (RFC 9728 §2), as far as it is used. */
export interface ProtectedResource {
  readonly resource: string;
  /** Issuers as they are written; each once. */
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[] | null;
}

/** More than this need not be tried. */
const mostServers = 5;

const resourceMetadata = z.object({
  resource: z.string().min(1).max(500),
  authorization_servers: z.array(z.string().min(1).max(500)).max(100).nullish(),
  scopes_supported: z.array(z.string()).max(10_000).nullish(),
});

/**
 * Reads a server's protected resource metadata, wherever it lies first.
 * @param fromChallenge where the server's challenge says that it lies
 * @returns null when there is none
 * @throws AuthorizationFault `resource_mismatch` when it is another resource's
 */
export async function readProtectedResource(
  serverUrl: string,
  fromChallenge: string | null,
  fetch: AuthorizationFetch,
  signal: AbortSignal,
): Promise<ProtectedResource | null> {
  const { origin } = new URL(serverUrl);
  const subject = `The server ${origin}`;
  const { document } = await firstDocument(resourceMetadataUrls(serverUrl, fromChallenge), { subject, unreachable: 'server_unreachable' }, fetch, signal);
  if (document === null) return null;
  const { resource, authorization_servers: servers, scopes_supported: scopes } = checkedMetadata(resourceMetadata, document, subject);
  if (!resourceCovers(resource, serverUrl)) throw mismatch(resource, serverUrl);
  return {
    resource,
    authorizationServers: [...new Set(servers ?? [])],
    scopes: scopes == null ? null : usableScopes(scopes),
  };
}

/** The issuers to try: the recorded one alone when it is still listed, so that no other ever takes its place unnoticed. */
export function issuersToTry({ authorizationServers }: ProtectedResource, recordedIssuer: string | null): readonly string[] {
  if (recordedIssuer !== null && authorizationServers.includes(recordedIssuer)) return [recordedIssuer];
  return authorizationServers.slice(0, mostServers);
}

function mismatch(resource: string, serverUrl: string): AuthorizationFault {
  const { origin } = new URL(serverUrl);
  const other = URL.canParse(resource) ? new URL(resource).origin : 'something that is no URL';
  const bySlash = resource === `${serverUrl}/`;
  const where = other !== origin ? ` at ${other}` : bySlash ? ' whose path ends in a slash, and the registered one does not' : ' with another path';
  return new AuthorizationFault(
    'resource_mismatch',
    `The server ${origin} says that signing in is for a resource${where}. A token for it might not be meant for the registered server. Register the server under the URL that the people who run it name, or ask them to correct its metadata.`,
  );
}
