/** Where the metadata of a protected resource lies, in the order it is looked for (RFC 9728 §3.1; MCP 2025-11-25). */
export function resourceMetadataUrls(serverUrl: string, fromChallenge: string | null): readonly string[] {
  const { origin, pathname, search } = new URL(serverUrl);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const own = `${wellKnown}${pathname === '/' ? '' : pathname}${search}`;
  return [...new Set([...(fromChallenge === null ? [] : [fromChallenge]), own, wellKnown])];
}

/**
 * Where the metadata of an authorization server lies, in the order it is looked for (RFC 8414 §3.1 and §5, OpenID Connect
 * Discovery 1.0 §4; MCP 2025-11-25): a final slash of the issuer is taken off before anything is put into its path.
 */
export function serverMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const oauth = `${origin}/.well-known/oauth-authorization-server${path}`;
  const oidc = `${origin}/.well-known/openid-configuration${path}`;
  return path === '' ? [oauth, oidc] : [oauth, oidc, `${origin}${path}/.well-known/openid-configuration`];
}
