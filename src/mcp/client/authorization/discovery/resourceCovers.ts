/**
 * Whether a protected resource is the registered server, or contains it: the same origin, and a path that is equal or ends
 * where a segment of the server's path does. Paths are compared as they are written: RFC 9728 §3.3 and RFC 3986 §6.2.2 let
 * `/%6dcp` and `/mcp` be the same, but an authorization server that names its audiences need not.
 * @param resource as its metadata writes it
 */
export function resourceCovers(resource: string, serverUrl: string): boolean {
  if (!URL.canParse(resource)) return false;
  const covering = new URL(resource);
  const covered = new URL(serverUrl);
  const { username, password, pathname } = covering;
  if (covering.origin !== covered.origin || username !== '' || password !== '' || resource.includes('#')) return false;
  // The parser resolves dots and repairs what is no URL; what it changed is not what the authorization server will read.
  if (pathAsWritten(resource) !== pathname) return false;
  if (resource.includes('?')) return covering.search === covered.search && pathname === covered.pathname;
  return pathname === covered.pathname || covered.pathname.startsWith(pathname.endsWith('/') ? pathname : `${pathname}/`);
}

function pathAsWritten(url: string): string {
  const path = /^[a-z]+:\/\/[^/?#\\]*([^?#]*)/i.exec(url)?.[1];
  return path === '' ? '/' : (path ?? '');
}
