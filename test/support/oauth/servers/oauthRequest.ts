import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Where at an authorization server a request went. `interaction`: the pages on which a person says yes or no. */
export type Endpoint = 'metadata' | 'authorization' | 'interaction' | 'token' | 'registration' | 'revocation' | 'other';

/** A request as it came in. */
export interface OAuthRequest {
  readonly endpoint: Endpoint;
  readonly httpMethod: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the query or the form. */
  readonly parameters: URLSearchParams;
  /** Of a JSON body, else null. */
  readonly json: unknown;
  readonly body: Buffer;
}

const endpoints: readonly (readonly [RegExp, Endpoint])[] = [
  [/^\/auth$/, 'authorization'],
  [/^\/(auth|interaction)\//, 'interaction'],
  [/^\/token$/, 'token'],
  [/^\/token\/revocation$/, 'revocation'],
  [/^\/reg$/, 'registration'],
];

/** Reads a request to an issuer with this path (`''` or `/…`) to its end. */
export async function readOAuthRequest(request: IncomingMessage, mount: string): Promise<OAuthRequest> {
  const { method: httpMethod = '', url: path = '', headers } = request;
  const body = await buffer(request);
  const { pathname, searchParams } = new URL(path, 'http://here');
  const type = headers['content-type'] ?? '';
  return {
    endpoint: pathname.includes('/.well-known/') ? 'metadata' : endpointAt(pathname.slice(mount.length)),
    httpMethod,
    path,
    headers,
    parameters: type.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(body.toString()) : searchParams,
    json: type.startsWith('application/json') ? JSON.parse(body.toString()) : null,
    body,
  };
}

function endpointAt(path: string): Endpoint {
  return endpoints.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';
}
