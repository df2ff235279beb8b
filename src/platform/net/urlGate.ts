import { isIP } from 'node:net';
import { judgeAddress, type AddressPolicy } from './addressGate.js';

/** What a URL must be like to be fetched. */
export interface UrlPolicy extends AddressPolicy {
  /** Whether plain `http:` is refused. */
  readonly httpsOnly: boolean;
}

export type UrlRefusal =
  | 'url_too_long'
  | 'url_invalid'
  | 'url_scheme_refused'
  | 'url_https_required'
  | 'url_credentials_refused'
  | 'url_address_refused';

export type UrlVerdict =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly code: UrlRefusal; readonly message: string };

/** Longest URL taken for a server, in UTF-16 code units. */
const maxUrlLength = 500;

/**
 * Judges a URL before anything is resolved or sent: form, scheme, credentials, and hosts written as addresses in any
 * spelling (the URL parser turns `0x7f.1` and `2130706433` into `127.0.0.1`). Names are judged when they are resolved.
 * @returns the URL without fragment and without trailing dots on its host, or why not
 */
export function judgeUrl(text: string, policy: UrlPolicy, maxLength = maxUrlLength): UrlVerdict {
  if (text.length > maxLength) {
    return refuse('url_too_long', `The URL has ${text.length} characters; at most ${maxLength} are allowed.`);
  }
  // The URL parser would quietly drop tabs and line breaks, so that what is judged is not what was read.
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f-\u009f\\]/.test(text) || !URL.canParse(text)) {
    return refuse('url_invalid', 'The text given is not a URL. Write it like https://example.org/mcp, without spaces.');
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refuse('url_scheme_refused', `The scheme ${url.protocol.slice(0, 20)} is not allowed; use https: or http:.`);
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('url_credentials_refused', 'The URL contains a user name or password. Leave them out and give a token instead.');
  }
  if (policy.httpsOnly && url.protocol === 'http:') {
    return refuse('url_https_required', 'Plain http: is not allowed for this workspace; use https:.');
  }
  url.hash = '';
  const host = url.hostname.replace(/\.+$/, '');
  if (host === '') return refuse('url_invalid', 'The URL names no host.');
  url.hostname = host;
  return judgeHost(url, policy);
}

/** Scheme, host and port of a URL: all of it that is ever shown. */
export function shownOrigin(url: URL): string {
  return url.origin;
}

function judgeHost(url: URL, policy: UrlPolicy): UrlVerdict {
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) {
    const verdict = judgeAddress(literal, policy);
    return verdict.allowed
      ? { ok: true, url }
      : refuse('url_address_refused', `The address ${literal} is refused (${verdict.reason}). ${allowedHosts(policy)}`);
  }
  if (isLocalName(literal) && !policy.allowLoopback) {
    return refuse('url_address_refused', `The host ${literal} is this machine and is refused (loopback). ${allowedHosts(policy)}`);
  }
  return { ok: true, url };
}

function allowedHosts(policy: UrlPolicy): string {
  return policy.allowLoopback ? 'Only public addresses and this machine are allowed.' : 'Only public addresses are allowed.';
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function refuse(code: UrlRefusal, message: string): UrlVerdict {
  return { ok: false, code, message };
}
