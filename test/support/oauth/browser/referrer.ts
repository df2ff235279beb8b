import { siteRelation } from './site.js';

const policies = [
  'no-referrer',
  'no-referrer-when-downgrade',
  'origin',
  'origin-when-cross-origin',
  'same-origin',
  'strict-origin',
  'strict-origin-when-cross-origin',
  'unsafe-url',
] as const;
export type ReferrerPolicy = (typeof policies)[number];

/** The policy a `Referrer-Policy` header sets: the last it names that exists; null when it sets none. */
export function referrerPolicy(header: string | undefined): ReferrerPolicy | null {
  const named = (header ?? '').split(',').map((token) => token.trim().toLowerCase());
  return named.map((token) => policies.find((policy) => policy === token)).findLast((policy) => policy !== undefined) ?? null;
}

/** The `Referer` of a request from a page; null for none. */
export function refererOf(policy: ReferrerPolicy, from: URL, to: URL): string | null {
  const full = `${from.origin}${from.pathname}${from.search}`;
  const origin = `${from.origin}/`;
  const same = siteRelation(from, to) === 'same-origin';
  switch (policy) {
    case 'no-referrer':
      return null;
    case 'no-referrer-when-downgrade':
      return isDowngrade(from, to) ? null : full;
    case 'origin':
      return origin;
    case 'origin-when-cross-origin':
      return same ? full : origin;
    case 'same-origin':
      return same ? full : null;
    case 'strict-origin':
      return isDowngrade(from, to) ? null : origin;
    case 'strict-origin-when-cross-origin':
      if (same) return full;
      return isDowngrade(from, to) ? null : origin;
    case 'unsafe-url':
      return full;
  }
}

/** The `Origin` of a request that is neither GET nor HEAD. It says `null` where the policy hides where it comes from. */
export function originOf(policy: ReferrerPolicy, from: URL, to: URL): string {
  switch (policy) {
    case 'no-referrer':
      return 'null';
    case 'no-referrer-when-downgrade':
    case 'strict-origin':
    case 'strict-origin-when-cross-origin':
      return isDowngrade(from, to) ? 'null' : from.origin;
    case 'same-origin':
      return siteRelation(from, to) === 'same-origin' ? from.origin : 'null';
    case 'origin':
    case 'origin-when-cross-origin':
    case 'unsafe-url':
      return from.origin;
  }
}

function isDowngrade(from: URL, to: URL): boolean {
  return from.protocol === 'https:' && to.protocol !== 'https:';
}
