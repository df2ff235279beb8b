import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { newCookieJar } from './cookieJar.js';
import { formActionAllows } from './formAction.js';
import { filledIn, readForms, type Entries, type PageForm } from './pageForms.js';
import { originOf, refererOf, referrerPolicy, type ReferrerPolicy } from './referrer.js';
import { siteRelation } from './site.js';

/** Where a navigation ended. */
export interface Page {
  readonly url: string;
  /** 0: the browser was told to stop before it. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly html: string;
  readonly forms: readonly PageForm[];
}

/** A request as the browser sent it. */
export interface BrowserRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A browser without scripts or pictures that otherwise sends and refuses what Chromium does. */
export interface ScriptedBrowser {
  /** Everything it sent, in order, redirects too. */
  readonly requests: readonly BrowserRequest[];
  /** Follows a link on a page, or opens an address that a person typed. */
  open(url: string, how?: { readonly from?: Page; readonly stopBefore?: string }): Promise<Page>;
  /** Fills in a form of a page (the first) and sends it. Fails where the page's `form-action` forbids it or a redirect after it. */
  submit(page: Page, entries?: Entries, how?: { readonly form?: number; readonly stopBefore?: string }): Promise<Page>;
}

/** What was set out for. */
interface Navigation {
  readonly first: Hop;
  readonly from: Page | null;
  readonly isForm: boolean;
  /** The start of an address that is not visited but handed over. */
  readonly stopBefore: string | undefined;
}

/** One request of the chain that redirects make. */
interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
}

const longestChain = 20;

/**
 * A new one, without cookies. With `hosts`, an origin is served by another, as behind a proxy that ends TLS:
 * `{ 'https://bot.example': 'http://127.0.0.1:1234' }`.
 */
export function newScriptedBrowser(hosts: Readonly<Record<string, string>> = {}): ScriptedBrowser {
  const jar = newCookieJar();
  const requests: BrowserRequest[] = [];

  async function navigate({ first, from: page, isForm, stopBefore }: Navigation): Promise<Page> {
    const from = page === null ? null : new URL(page.url);
    const chain: URL[] = [];
    let policy = referrerPolicy(headerOf(page, 'referrer-policy')) ?? 'strict-origin-when-cross-origin';
    for (let hop = first; chain.length <= longestChain; ) {
      const { url, method } = hop;
      if (page !== null && isForm) mustAllow(page, url, chain.length > 0);
      if (stopBefore !== undefined && url.href.startsWith(stopBefore)) return { url: url.href, status: 0, headers: {}, html: '', forms: [] };
      chain.push(url);
      const cookie = jar.header(url, { crossSite: from !== null && siteRelation(from, url) === 'cross-site', method });
      const headers = present({ host: url.host, ...always, 'sec-fetch-site': fetchSite(from, chain), cookie: cookie || null, ...sourceHeaders(hop, from, chain, policy) });
      requests.push({ method, url: url.href, headers });
      const response = await send(hop, headers, hosts);
      jar.take(url, response.headers['set-cookie'] ?? []);
      const next = nextHop(hop, response);
      if (next === null) return readPage(url, response);
      policy = referrerPolicy(response.headers['referrer-policy']?.toString()) ?? policy;
      hop = next;
    }
    throw new Error(`Too many redirects from ${first.url.href}.`);
  }

  return {
    requests,
    open: (url, { from, stopBefore } = {}) => navigate({ first: { method: 'GET', url: new URL(url), body: '' }, from: from ?? null, isForm: false, stopBefore }),
    async submit(page, entries = {}, { form: index = 0, stopBefore } = {}) {
      const form = page.forms[index];
      if (form === undefined) throw new Error(`The page ${page.url} has no form ${index}.`);
      return navigate({ first: formHop(form, page, entries), from: page, isForm: true, stopBefore });
    },
  };
}

const always = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' };

function formHop({ action, method, controls }: PageForm, page: Page, entries: Entries): Hop {
  const url = new URL(action, page.url);
  const fields = filledIn({ action, method, controls }, entries).toString();
  if (method === 'POST') return { method, url, body: fields };
  url.search = fields;
  return { method, url, body: '' };
}

/** What a request says about where it comes from. */
function sourceHeaders({ method, url }: Hop, from: URL | null, chain: readonly URL[], policy: ReferrerPolicy): Record<string, string | null> {
  const referer = from === null ? null : refererOf(policy, from, url);
  if (method === 'GET') return { referer };
  const origin = from === null || isTainted(from, chain) ? 'null' : originOf(policy, from, url);
  return { referer, origin, 'content-type': 'application/x-www-form-urlencoded' };
}

/** A chain that left for another origin and was sent on from there does not say any more where it began. */
function isTainted(from: URL, chain: readonly URL[]): boolean {
  return chain.some((url, index) => {
    const before = chain[index - 1];
    return before !== undefined && before.origin !== url.origin && before.origin !== from.origin;
  });
}

/** Where a response sends on to; null when it is the page itself. */
function nextHop({ method, url, body }: Hop, { statusCode: status = 0, headers: { location } }: IncomingMessage): Hop | null {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return null;
  return { url: new URL(location, url), ...(status < 307 ? { method: 'GET', body: '' } : { method, body }) };
}

function mustAllow(page: Page, target: URL, redirected: boolean): void {
  const policy = headerOf(page, 'content-security-policy');
  if (!formActionAllows(policy, new URL(page.url), target, redirected)) throw new Error(`The form-action of ${page.url} does not allow ${target.origin}: ${policy ?? ''}`);
}

function headerOf(page: Page | null, name: string): string | undefined {
  return page?.headers[name]?.toString();
}

/** The farthest of the chain counts. */
function fetchSite(from: URL | null, chain: readonly URL[]): string {
  if (from === null) return 'none';
  const relations = chain.map((url) => siteRelation(from, url));
  return (['cross-site', 'same-site'] as const).find((relation) => relations.includes(relation)) ?? 'same-origin';
}

async function send({ url, method, body }: Hop, headers: Readonly<Record<string, string>>, hosts: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const served = new URL(`${hosts[url.origin] ?? url.origin}${url.pathname}${url.search}`);
  const asking = httpRequest(served, { method, headers, agent: false }).end(body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return response;
}

async function readPage(url: URL, response: IncomingMessage): Promise<Page> {
  const html = await text(response);
  const forms = response.headers['content-type']?.startsWith('text/html') === true ? readForms(html) : [];
  return { url: url.href, status: response.statusCode ?? 0, headers: response.headers, html, forms };
}

function present(headers: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null));
}
