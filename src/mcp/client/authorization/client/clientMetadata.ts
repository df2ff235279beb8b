import type { JsonObject } from '../../../../platform/json.js';

/** How a client proves itself at the token endpoint, as far as we can (RFC 7591 §2). */
export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

export interface ClientDescription {
  /** The URL of the document, when it is one (OAuth Client ID Metadata Documents); null in a registration. */
  readonly clientId: string | null;
  readonly redirectUri: string;
  /** All that may be needed; none leaves it to the authorization server. */
  readonly scopes: readonly string[];
  readonly authMethod: AuthMethod;
  readonly version: string;
}

/** What we say of ourselves to authorization servers (RFC 7591 §2), in a registration and in our metadata document. */
export function clientMetadata({ clientId, redirectUri, scopes, authMethod, version }: ClientDescription): JsonObject {
  return {
    ...(clientId !== null && { client_id: clientId }),
    client_name: 'toolledger',
    software_id: 'toolledger',
    software_version: version,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: authMethod,
    // MCP 2026-07-28 requires it: to `web` clients servers refuse http, to `native` ones other hosts than this machine.
    application_type: new URL(redirectUri).protocol === 'https:' ? 'web' : 'native',
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
}
