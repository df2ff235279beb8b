import type { AuthMethod } from './clientMetadata.js';

/** Who we are at one authorization server; plain JSON. Never used at another one. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly authMethod: AuthMethod;
  readonly source: 'given' | 'metadata_document' | 'registered';
  readonly redirectUri: string;
  /** What it may ask for, as it was registered. */
  readonly scopes: readonly string[];
  /** Milliseconds since the Unix epoch; null for never. */
  readonly secretExpiresAt: number | null;
}
