import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Browser as Chromium } from 'playwright-core';
import { startChromium } from '../support/oauth/browser/chromium.js';
import { startLocalServer, type LocalServer } from '../support/oauth/servers/localServer.js';
import { newScriptedBrowser, type Page } from '../support/oauth/browser/scriptedBrowser.js';

/** A window of a browser: nobody was here before. */
interface Window {
  open(url: string): Promise<void>;
  /** Presses the only button of the page; false when the page's policy forbids where that leads. */
  press(): Promise<boolean>;
}

interface Browser {
  newWindow(): Promise<Window>;
  close(): Promise<void>;
}

const scripted: Browser = {
  async newWindow() {
    const browser = newScriptedBrowser();
    let page: Page;
    return {
      async open(url) {
        page = await browser.open(url);
      },
      async press() {
        const next = await browser.submit(page).catch((error: unknown) => {
          if (String(error).includes('form-action')) return null;
          throw error;
        });
        page = next ?? page;
        return next !== null;
      },
    };
  },
  close: async () => undefined,
};

const chromium = (start: () => Promise<Chromium>) => async (): Promise<Browser> => {
  const browser = await start();
  return {
    async newWindow() {
      const page = await (await browser.newContext()).newPage();
      return {
        async open(url) {
          await page.goto(url);
        },
        async press() {
          const forbidden = page.waitForEvent('console', { predicate: (message) => message.text().includes('form-action'), timeout: 0 }).then(() => false);
          const went = page.waitForEvent('load', { timeout: 0 }).then(() => true);
          // The one that does not happen ends with the window.
          for (const event of [forbidden, went]) event.catch(() => undefined);
          // Not `click`, which waits for ever for a navigation that was forbidden.
          await page.locator('button').dispatchEvent('click');
          return Promise.race([forbidden, went]);
        },
      };
    },
    close: () => browser.close(),
  };
};

interface Made {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly html?: string;
}

/** A server whose pages a test sets, and what was asked of it. */
interface Site extends LocalServer {
  /** The same machine by another name: another site. */
  readonly elsewhere: string;
  readonly pages: Record<string, Made>;
  readonly seen: { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
}

async function startSite(): Promise<Site> {
  const pages: Site['pages'] = {};
  const seen: Site['seen'] = [];
  const local = await startLocalServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      seen.push({ method, path, headers, body });
      const { status = 200, headers: more = {}, html = '' } = pages[path] ?? {};
      response.writeHead(status, { 'content-type': 'text/html', ...more }).end(`<!doctype html><link rel="icon" href="data:,">${html}`);
    });
  });
  return { ...local, elsewhere: local.origin.replace('127.0.0.1', 'localhost'), pages, seen };
}

const form = (action: string, method = 'post') => `<form method="${method}" action="${action}"><input type="hidden" name="a" value="1 &amp; 2"><button>Go</button></form>`;

const browsers: readonly { readonly name: string; readonly start: (() => Promise<Browser>) | null }[] = [
  { name: 'the scripted browser', start: async () => scripted },
  { name: 'Chromium', start: startChromium && chromium(startChromium) },
];

describe.each(browsers)('$name', ({ start }) => {
  const itWhere = start === null ? it.skip : it;
  let program: Browser;
  let server: Site;
  let other: Site;
  let browser: Window;
  beforeAll(async () => {
    program = await (start ?? (async () => scripted))();
  });
  afterAll(() => program.close());
  beforeEach(async () => {
    [server, other, browser] = await Promise.all([startSite(), startSite(), program.newWindow()]);
  });
  afterEach(() => Promise.all([server.stop(), other.stop()]));

  /** What the server saw of the request for `/end`. */
  const end = (site = server) => site.seen.filter(({ path }) => path.startsWith('/end')).at(-1);

  itWhere('keeps cookies by host and path, and sends those of another site that may be sent', async () => {
    const cookies = ['lax=1; SameSite=Lax; HttpOnly', 'strict=1; SameSite=Strict', 'deep=1; Path=/deep; SameSite=Lax', 'none=1; SameSite=None', '__Host-bad=1; Path=/', 'gone=1'];
    server.pages['/set'] = { headers: { 'set-cookie': cookies } };
    server.pages['/again'] = { headers: { 'set-cookie': ['gone=; Max-Age=0'] } };
    for (const [path, action] of [['/link', 'get'], ['/post', 'post']] as const) server.pages[path] = { html: form(`${server.origin}/end`, action) };
    await browser.open(`${server.origin}/set`);
    await browser.open(`${server.origin}/again`);
    await browser.open(`${server.origin}/deep/er`);
    expect(server.seen.at(-1)?.headers.cookie).toBe('deep=1; lax=1; strict=1');

    await browser.open(`${server.elsewhere}/link`);
    await browser.press();
    expect(end()?.headers).toMatchObject({ cookie: 'lax=1', 'sec-fetch-site': 'cross-site' });
    await browser.open(`${server.elsewhere}/post`);
    await browser.press();
    expect(end()).toMatchObject({ method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } });
    expect(end()?.headers.cookie).toBeUndefined();
    await browser.open(`${other.origin}/`);
    expect(other.seen.at(-1)?.headers).toMatchObject({ cookie: 'lax=1; strict=1', 'sec-fetch-site': 'none' });
  });

  itWhere.each<[policy: string, sameOrigin: [origin: string, referer: string], crossOrigin: [origin: string, referer: string]]>([
    ['', ['origin', 'page'], ['origin', 'origin/']],
    ['no-referrer', ['null', 'none'], ['null', 'none']],
    ['same-origin', ['origin', 'page'], ['null', 'none']],
    ['no-referrer, unsafe-url, made-up', ['origin', 'page'], ['origin', 'page']],
  ])('says where a form comes from as far as the policy "%s" lets it', async (policy, ...expected) => {
    const said = ({ origin, referer = 'none' }: IncomingHttpHeaders = {}) => [origin, referer].map((value) => value?.replace(`${server.origin}/page`, 'page').replace(server.origin, 'origin'));
    for (const [index, target] of [server, other].entries()) {
      server.pages['/page'] = { headers: policy === '' ? {} : { 'referrer-policy': policy }, html: form(`${target.origin}/end`) };
      await browser.open(`${server.origin}/page`);
      await browser.press();
      expect(said(end(target)?.headers)).toEqual(expected[index]);
    }
  });

  itWhere('turns a form into a visit at a redirect, or posts it again without saying any more where it began', async () => {
    server.pages['/page'] = { html: form(`${other.origin}/away`) };
    other.pages['/away'] = { status: 303, headers: { location: `${server.origin}/end` } };
    await browser.open(`${server.origin}/page`);
    await browser.press();
    expect(end()).toMatchObject({ method: 'GET', headers: { 'sec-fetch-site': 'same-site' } });
    expect(end()?.headers.origin).toBeUndefined();

    other.pages['/away'] = { status: 307, headers: { location: `${server.origin}/end` } };
    await browser.open(`${server.origin}/page`);
    await browser.press();
    expect(end()).toMatchObject({ method: 'POST', headers: { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' } });
  });

  itWhere('sends a form that is a question in the address', async () => {
    server.pages['/page'] = { html: form('end?old=1', 'get') };
    await browser.open(`${server.origin}/page`);
    await browser.press();
    expect(end()?.path).toBe('/end?a=1+%26+2');
  });

  itWhere.each([
    ["'self'", false],
    ["'none'", false],
    ["'self' http:", true],
    ["'self' ORIGIN", true],
    ["'self' http://127.0.0.1", false],
    ['ORIGIN', false],
  ])('lets a form be redirected under form-action %s: %s', async (sources, allowed) => {
    server.pages['/page'] = { headers: { 'content-security-policy': `default-src 'none'; form-action ${sources.replace('ORIGIN', other.origin)}` }, html: form('/away') };
    server.pages['/away'] = { status: 303, headers: { location: `${other.origin}/end` } };
    await browser.open(`${server.origin}/page`);
    expect(await browser.press()).toBe(allowed);
    expect(other.seen.some(({ path }) => path === '/end')).toBe(allowed);
  });
});

describe('the scripted browser before a proxy that ends TLS', () => {
  it('takes the cookies of a secure origin and keeps them there', async () => {
    const site = await startSite();
    const bot = newScriptedBrowser({ 'https://bot.example': site.origin });
    site.pages['/set'] = { headers: { 'set-cookie': ['__Host-good=1; Path=/; Secure', 'secure=1; Secure; SameSite=None', '__Host-bad=1; Secure', 'lost=1; Secure; Domain=else.example'] } };
    await bot.open('https://bot.example/set');
    const page = await bot.open('https://bot.example/');
    expect(site.seen.at(-1)?.headers).toMatchObject({ host: 'bot.example', cookie: '__Host-good=1; secure=1' });
    await bot.open(`${site.origin}/`, { from: page });
    expect(site.seen.at(-1)?.headers).toMatchObject({ 'sec-fetch-site': 'cross-site' });
    expect(site.seen.at(-1)?.headers.cookie).toBeUndefined();
    await site.stop();
  });

  it('reads what a form offers and refuses to send anything else', async () => {
    const site = await startSite();
    site.pages['/page'] = {
      html: `<!-- <form> --><form method=post action='/end'>
        <input name="name" value="&lt;&#39;&quot;"><textarea name="why">a &amp; b</textarea><input name="off" disabled>
        <input type="radio" name="who" value="everyone" checked><input type="radio" name="who" value="roles">
        <input type="checkbox" name="role" value="1"><input type="checkbox" name="role" value="2" checked>
        <button type="button" name="x" value="x">No</button><button name="say" value="yes">Yes</button><button name="say" value="no">No</button></form>`,
    };
    const bot = newScriptedBrowser();
    const page = await bot.open(`${site.origin}/page`);
    await bot.submit(page);
    await bot.submit(page, { name: 'me', who: 'roles', role: ['1', '2'], say: 'no' });
    expect(site.seen.slice(-2).map(({ body }) => body)).toEqual([
      new URLSearchParams({ name: `<'"`, why: 'a & b', who: 'everyone', role: '2', say: 'yes' }).toString(),
      'name=me&why=a+%26+b&who=roles&role=1&role=2&say=no',
    ]);
    await expect(bot.submit(page, { who: 'nobody' })).rejects.toThrow('no who to be nobody');
    await expect(bot.submit(page, { off: '1' })).rejects.toThrow('no off to be 1');
    await site.stop();
  });
});
