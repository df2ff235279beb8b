import { isIP } from 'node:net';
import { isLoopback, judgeDestination, type DestinationPolicy } from './addressGate.js';

/** What a URL must be like to be fetched. */
export interface UrlPolicy {
  /** Whether plain `http:` is refused; `elsewhere` leaves it to this machine, where nobody reads along. */
  readonly httpsOnly: boolean | 'elsewhere';
  /** Whether this machine itself may be reached. */
  readonly allowLoopback: boolean;
  /** Exact origins that may lie on this machine or in a private network, and that may be plain `http:`. */
  readonly localOrigins: ReadonlySet<string>;
  /** Ports on which this program itself listens on this machine: never reached. */
  readonly ownPorts: ReadonlySet<number>;
}

export type UrlRefusal =
  | 'url_too_long'
  | 'url_invalid'
  | 'url_scheme_refused'
  | 'url_https_required'
  | 'url_credentials_refused'
  | 'url_address_refused'
  | 'url_own_listener';

export type UrlVerdict =
  | {
      readonly ok: true;
      readonly url: URL;
      /** What the host's name may resolve to. */
      readonly destinations: DestinationPolicy;
    }
  | { readonly ok: false; readonly code: UrlRefusal; readonly message: string };

/** Where what else may be reached is listed, and by whom it is read. */
const localOriginsSetting = 'MCP_ALLOWED_LOCAL_ORIGINS, which `toolledger serve` reads at its start';

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
  url.hash = '';
  const host = url.hostname.replace(/\.+$/, '');
  if (host === '') return refuse('url_invalid', 'The URL names no host.');
  url.hostname = host;
  const isListed = policy.localOrigins.has(url.origin);
  if (url.protocol === 'http:' && !isListed && needsHttps(url, policy)) {
    return refuse('url_https_required', policy.httpsOnly === 'elsewhere' ? 'Plain http: is not allowed for other machines; use https:.' : `Plain http: is not allowed for this workspace. ${insteadOfHttp(url, policy)}`);
  }
  return judgeHost(url, { allowLoopback: policy.allowLoopback || isListed, allowPrivate: isListed, ownPorts: policy.ownPorts });
}

/** Scheme, host and port of a URL: all of it that is ever shown. */
export function shownOrigin(url: URL): string {
  return url.origin;
}

/** Whether a URL names this machine, by an address in any spelling or by a name that always means it. */
export function namesThisMachine(url: URL): boolean {
  const literal = literalOf(url);
  return isLocalName(literal) || isLoopback(literal);
}

/** The port a URL leads to. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function needsHttps(url: URL, { httpsOnly }: UrlPolicy): boolean {
  return httpsOnly === 'elsewhere' ? !namesThisMachine(url) : httpsOnly;
}

/** The host without the brackets of an IPv6 address. */
function literalOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function judgeHost(url: URL, destinations: DestinationPolicy): UrlVerdict {
  const literal = literalOf(url);
  // A name for this machine is judged like its address; other names are judged when they are resolved.
  const address = isLocalName(literal) ? '127.0.0.1' : literal;
  if (isIP(address) === 0) return { ok: true, url, destinations };
  const verdict = judgeDestination(address, portOf(url), destinations);
  if (verdict.allowed) return { ok: true, url, destinations };
  if (verdict.reason === 'own_listener') {
    return refuse('url_own_listener', `${url.origin} is where this program itself listens, and is refused (own_listener). Register another server.`);
  }
  return refuse('url_address_refused', `The host ${literal} is refused (${verdict.reason}). ${allowedHosts(verdict.reason, destinations)}`);
}

/** What no list ever allows is said to be that: nobody is to list it in vain. */
function insteadOfHttp(url: URL, { ownPorts }: UrlPolicy): string {
  const listed = judgeHost(url, { allowLoopback: true, allowPrivate: true, ownPorts });
  return listed.ok ? `Use https:, or list ${url.origin} in ${localOriginsSetting}.` : listed.message;
}

function allowedHosts(refused: string, { allowLoopback, allowPrivate }: DestinationPolicy): string {
  if (allowPrivate || refused === 'link_local' || refused === 'cloud_metadata') return 'Link-local addresses and the services of cloud providers never are allowed.';
  const allowed = allowLoopback ? 'public addresses and this machine are' : 'public addresses are';
  return `Only ${allowed} allowed, and the origins listed in ${localOriginsSetting}.`;
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function refuse(code: UrlRefusal, message: string): UrlVerdict {
  return { ok: false, code, message };
}
