/**
 * A browser's cookies: by host (whatever the port), path, `Secure` and `SameSite`. Stricter than Chromium, which takes `Secure` cookies from
 * this machine over http too, and lets one without `SameSite` go with a POST for two minutes. Time stands still: only what a server deletes ends.
 */
export interface CookieJar {
  /** Takes what a response to a navigation sets. */
  take(from: URL, setCookies: readonly string[]): void;
  /** The `Cookie` header for a navigation; `''` for none. */
  header(to: URL, navigation: { readonly crossSite: boolean; readonly method: string }): string;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  readonly sameSite: 'strict' | 'lax' | 'none';
}

export function newCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();

  function takeOne(from: URL, line: string): void {
    const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
    const attributes = new Map(rest.map((part) => [part.split('=')[0]?.toLowerCase() ?? '', part.slice(part.indexOf('=') + 1)]));
    const cookie = readCookie(from, pair, attributes);
    if (!isAcceptable(cookie, from, attributes)) return;
    const key = [cookie.name, cookie.domain, cookie.path].join('\n');
    if (isDeletion(attributes)) cookies.delete(key);
    else cookies.set(key, cookie);
  }

  return {
    take: (from, setCookies) => setCookies.forEach((line) => takeOne(from, line)),
    header: (to, { crossSite, method }) =>
      [...cookies.values()]
        .filter((cookie) => belongs(cookie, to) && (!crossSite || cookie.sameSite === 'none' || (cookie.sameSite === 'lax' && method === 'GET')))
        .sort((one, other) => other.path.length - one.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
  };
}

function readCookie(from: URL, pair: string, attributes: ReadonlyMap<string, string>): Cookie {
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase() ?? '';
  const path = attributes.get('path') ?? '';
  const sameSite = attributes.get('samesite')?.toLowerCase();
  return {
    name: pair.slice(0, pair.indexOf('=')),
    value: pair.slice(pair.indexOf('=') + 1),
    domain: domain === '' ? from.hostname : domain,
    hostOnly: domain === '',
    path: path.startsWith('/') ? path : from.pathname.slice(0, Math.max(1, from.pathname.lastIndexOf('/'))),
    secure: attributes.has('secure'),
    sameSite: sameSite === 'strict' || sameSite === 'none' ? sameSite : 'lax',
  };
}

function isAcceptable(cookie: Cookie, from: URL, attributes: ReadonlyMap<string, string>): boolean {
  if (cookie.secure && from.protocol !== 'https:') return false;
  if (cookie.sameSite === 'none' && !cookie.secure) return false;
  if (cookie.name.startsWith('__Secure-') && !cookie.secure) return false;
  if (cookie.name.startsWith('__Host-') && !(cookie.secure && cookie.hostOnly && attributes.get('path') === '/')) return false;
  return domainCovers(cookie, from.hostname);
}

function isDeletion(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  return Date.parse(attributes.get('expires') ?? '') <= 0;
}

function belongs(cookie: Cookie, to: URL): boolean {
  const path = cookie.path.endsWith('/') ? cookie.path : `${cookie.path}/`;
  return domainCovers(cookie, to.hostname) && (!cookie.secure || to.protocol === 'https:') && `${to.pathname}/`.startsWith(path);
}

function domainCovers({ domain, hostOnly }: Cookie, host: string): boolean {
  return host === domain || (!hostOnly && host.endsWith(`.${domain}`));
}
