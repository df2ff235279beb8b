import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';

/** Browsers take a cookie of this name only over https, so nobody on the way can put one there over plain http (RFC 6265bis §4.1.3.1). */
const secureName = (name: string): string => `__Secure-${name}`;

const isSecure = (origin: string): boolean => origin.startsWith('https:');

/**
 * Ties a sign-in to this browser. `Lax`, because the browser comes back from another site.
 * @param origin the one the browser sees
 */
export function setSignInCookie(context: Context, origin: string, { cookieName, cookie, maxAgeSeconds }: { readonly cookieName: string; readonly cookie: string; readonly maxAgeSeconds: number }): void {
  const secure = isSecure(origin);
  setCookie(context, secure ? secureName(cookieName) : cookieName, cookie, { path: '/oauth', httpOnly: true, sameSite: 'Lax', maxAge: maxAgeSeconds, secure });
}

/**
 * The cookies of a request, by the names they were set under. One that came twice is none: a neighbour in the domain
 * can put a second one beside ours, and which comes first says nothing.
 */
export function signInCookies(header: string | undefined, origin: string): (cookieName: string) => string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return (cookieName) => {
    const start = `${isSecure(origin) ? secureName(cookieName) : cookieName}=`;
    const [value, second] = pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
    return value === undefined || second !== undefined ? null : value;
  };
}
