/** How far apart two addresses are, in the words of `Sec-Fetch-Site`. The registrable domain is taken to be the last two labels. */
export function siteRelation(from: URL, to: URL): 'same-origin' | 'same-site' | 'cross-site' {
  if (from.origin === to.origin) return 'same-origin';
  return from.protocol === to.protocol && siteOf(from.hostname) === siteOf(to.hostname) ? 'same-site' : 'cross-site';
}

function siteOf(host: string): string {
  return /^[\d.]+$|^\[/.test(host) ? host : host.split('.').slice(-2).join('.');
}
