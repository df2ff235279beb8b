import { TooLate, withinTime } from '../../connecting/withinTime.js';
import { cutMessage } from '../../failures/cutMessage.js';
import { askForChallenge } from './askForChallenge.js';
import { AuthorizationFault } from '../authorizationFault.js';
import { openAuthorizationFetch, type AuthorizationFetch, type AuthorizationParts, type SignInTarget } from '../authorizationFetch.js';
import { readAuthorizationServer, type AuthorizationServer } from './authorizationServer.js';
import { issuersToTry, readProtectedResource, type ProtectedResource } from './protectedResource.js';

/** How to sign in at a server. */
export interface Discovery {
  /** The protected resource, as it is written: what `resource` says in every request (RFC 8707). */
  readonly resource: string;
  readonly server: AuthorizationServer;
  readonly scopes: {
    /** What the server's challenge asks for. */
    readonly challenged: readonly string[];
    /** `scopes_supported` of the resource; null when it does not say. */
    readonly offered: readonly string[] | null;
  };
}

const defaultDiscoveryMs = 45_000;

/**
 * Finds out how to sign in at a server: asks it for its challenge, then reads its resource metadata, then the metadata of
 * the authorization server (MCP 2025-11-25, "Authorization Server Discovery").
 * @param recordedIssuer whom the server was last signed in with; it stays as long as it is listed
 * @throws AuthorizationFault
 */
export async function discover(target: SignInTarget, recordedIssuer: string | null, parts: AuthorizationParts, signal: AbortSignal): Promise<Discovery> {
  const { discoveryMs = defaultDiscoveryMs } = parts;
  const fetch = openAuthorizationFetch(target, parts);
  try {
    return await withinTime(discoveryMs, signal, (within) => discoverWith(fetch, target, recordedIssuer, parts, within));
  } catch (error) {
    if (!(error instanceof TooLate)) throw error;
    throw new AuthorizationFault('server_unreachable', `How to sign in at ${new URL(target.url).origin} was not found out within ${discoveryMs / 1_000} seconds. Begin again later with \`toolledger mcp sign-in\`.`);
  } finally {
    await fetch.close();
  }
}

async function discoverWith(fetch: AuthorizationFetch, target: SignInTarget, recordedIssuer: string | null, parts: AuthorizationParts, signal: AbortSignal): Promise<Discovery> {
  const { refused, challenge } = await askForChallenge(target, parts, signal);
  const resource = await readProtectedResource(target.url, challenge?.resourceMetadata ?? null, fetch, signal);
  if (resource === null) throw nothingToSignIn(target.url, refused);
  const server = await firstUsable(resource, recordedIssuer, target.url, fetch, signal);
  return { resource: resource.resource, server, scopes: { challenged: challenge?.scopes ?? [], offered: resource.scopes } };
}

function nothingToSignIn(url: string, refused: boolean): AuthorizationFault {
  const { origin } = new URL(url);
  if (!refused) return new AuthorizationFault('sign_in_not_needed', `The server ${origin} answers without a sign-in and offers none. Use it as it is, or give it a token with \`toolledger mcp set-token\`.`);
  return new AuthorizationFault(
    'no_resource_metadata',
    `The server ${origin} wants authorization but does not say where to sign in: it has no protected resource metadata (RFC 9728). To guess would risk giving your sign-in to somebody else. Ask whoever runs it, or set a token with \`toolledger mcp set-token\`.`,
  );
}

/** Tries the authorization servers in the order they are listed. */
async function firstUsable(resource: ProtectedResource, recordedIssuer: string | null, url: string, fetch: AuthorizationFetch, signal: AbortSignal): Promise<AuthorizationServer> {
  const faults: AuthorizationFault[] = [];
  for (const issuer of issuersToTry(resource, recordedIssuer)) {
    try {
      return await readAuthorizationServer(issuer, fetch, signal);
    } catch (error) {
      if (!(error instanceof AuthorizationFault) || signal.aborted) throw error;
      faults.push(error);
    }
  }
  const [only, ...others] = faults;
  if (only !== undefined && others.length === 0) throw only;
  const { origin } = new URL(url);
  if (only === undefined) throw new AuthorizationFault('no_authorization_server', `The server ${origin} names no authorization server in its metadata. Ask whoever runs it, or set a token with \`toolledger mcp set-token\`.`);
  throw new AuthorizationFault('no_authorization_server', `None of the authorization servers of ${origin} can be used. ${shortened(faults).join(' ')}`);
}

/** Each refusal gets its share of the message. */
function shortened(faults: readonly AuthorizationFault[]): readonly string[] {
  const share = Math.floor(400 / faults.length);
  return faults.map(({ message }) => cutMessage(message, share));
}
