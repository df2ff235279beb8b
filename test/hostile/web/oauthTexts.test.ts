import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Fault } from '../../../src/platform/fault.js';
import { othersNames } from '../../../src/platform/text/othersNames.js';
import { html } from '../../../src/web/oauth/pages/html.js';
import { offered, returned, serveSignIn, type ServedSignIn } from '../../support/web/servedSignIn.js';

let served: ServedSignIn;
afterEach(() => served.close());

const start = '/oauth/start/link-1';
const callback = '/oauth/callback?code=c&state=s';

/** The tags of a page in order: texts that become HTML would change them. */
const tags = (body: string): readonly string[] => body.match(/<[^>]*>/g) ?? [];
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Every page with the same text in every place that somebody else's text may have. */
async function pagesWith(text: string): Promise<readonly string[]> {
  const fault = async (): Promise<never> => Promise.reject(new Fault('failed', 'token_refused', text));
  const names = { server: text, address: text, workspace: text, admin: text, host: text };
  const bodies: string[] = [];
  for (const pages of [
    {
      show: async () => ({ ...offered, ...names, hostBefore: `before ${text}`, scopes: [text, text] }),
      returned: async () => ({ ...returned, ...names, audience: text }),
      finish: async () => ({ ...names, signedIn: true, usable: true, sentence: text }),
    },
    { show: fault, returned: async () => ({ ...returned, ...names, refused: text }), finish: fault },
  ]) {
    served = await serveSignIn(pages);
    bodies.push(
      (await served.send(start)).body,
      (await served.post(start, { csrf: 'c', page: 'p', who: 'roles', roles: text.replaceAll('\0', '') })).body,
      (await served.send(callback)).body,
      (await served.post('/oauth/callback', { csrf: 'c', code: 'c', state: 's' })).body,
    );
    await served.close();
  }
  return bodies;
}

describe('a text of somebody else', () => {
  it.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    '</title></style></main><form action="https://evil.example"><button>Continue</button></form>',
    '<!--',
    ']]>',
    '&lt;b&gt; &amp; &#60;b&#62;',
    '${7*7} {{7*7}} <%= 7*7 %>',
    'javascript:alert(1)',
    `a${'b'.repeat(5_000)}`,
  ])('%j stays text on every page', async (text) => {
    const [hostile, harmless] = [await pagesWith(text), await pagesWith('text')];
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
    // What was filled in is the only attribute that differs.
    const same = (body: string): readonly string[] => tags(body.replaceAll(`name="roles" value="${escaped}"`, 'name="roles" value="text"'));
    expect(hostile.map(same)).toEqual(harmless.map(same));
    for (const body of hostile) expect(body).toContain(escaped);
  });

  it.each([
    ['\u202e', '202e'],
    ['\u2066', '2066'],
    ['\u200b', '200b'],
    ['\u200d', '200d'],
    ['\u00ad', 'ad'],
    ['\ufeff', 'feff'],
    ['\u{e0041}', 'e0041'],
    ['\u2028', '2028'],
    ['\u001b', '1b'],
    ['\u0000', '0'],
    ['\r', 'd'],
    ['\n', 'a'],
    ['\ud800', 'd800'],
    ['\u3164', '3164'],
  ])('with %j shows that it is there, on every page', async (character, code) => {
    for (const body of await pagesWith(`auth${character}example`)) {
      expect(body).not.toMatch(unseen);
      expect(body).toContain(`auth\\u{${code}}example`);
      expect(body).not.toContain(`auth${character}example`);
    }
    served = await serveSignIn({ show: async () => ({ ...offered, server: `auth${character}example` }) });
    expect((await served.send(start)).body).toContain(`<title>Sign in at auth\\u{${code}}example · toolledger</title>`);
  });

  it('that is names with backticks in them, each in its quotes, is no piece of code of ours', async () => {
    served = await serveSignIn({ finish: async () => ({ server: 'files', workspace: 'g42', signedIn: true, usable: true, sentence: `Not granted, though asked for: ${othersNames(['run', '`toolledger', 'set-token`'])}. See \`toolledger mcp list\`.` }) });
    const { body } = await served.post('/oauth/callback', { csrf: 'c', code: 'c', state: 's' });
    expect(body).toContain('Not granted, though asked for: \u201crun\u201d, \u201c`toolledger\u201d, \u201cset-token`\u201d. See <code>toolledger mcp list</code>.');
  });

  it('that runs from right to left stays in its place', async () => {
    served = await serveSignIn({ show: async () => ({ ...offered, admin: 'שלום', scopes: ['مرحبا'] }) });
    const { body } = await served.send(start);
    expect(body).toContain('<bdi>שלום</bdi>');
    expect(body).toContain('<bdi>مرحبا</bdi>');
  });

  it('is shown whole: no scope hides behind its length or among a thousand', async () => {
    const scopes = [...Array.from({ length: 1_000 }, (_, at) => `scope-${at}`), `${'x'.repeat(4_000)}:end`];
    served = await serveSignIn({ show: async () => ({ ...offered, scopes }) });
    const { body } = await served.send(start);
    for (const scope of scopes) expect(body).toContain(`<bdi>${scope}</bdi>`);
  });
});

describe('a host in the policy', () => {
  it.each(['https://a;script-src%20x.example', "https://a;script-src'unsafe-inline'.example", 'https://a,default-src.example', 'https://a_b.example'])('%j adds no directive', async (url) => {
    served = await serveSignIn({ show: async () => ({ ...offered, formTarget: URL.canParse(url) ? new URL(url).origin : 'https://a;b.example' }) });
    const policy = String((await served.send(start)).headers['content-security-policy']);
    expect(policy.split(/[;,]/).map((directive) => directive.trim().split(' ')[0])).toEqual(['default-src', 'style-src', 'form-action', 'frame-ancestors', 'base-uri']);
    expect(policy).toContain("form-action 'self' https:;");
  });
});

describe('the template', () => {
  it('lets no text out of its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const body = html`<p title="${text}">${[text, html`<b>${text}</b>`]}</p>`.text;
        expect(body).toMatch(/^<p title="[^<>"']*">[^<>"']*<b>[^<>"']*<\/b><\/p>$/);
        expect(body).not.toMatch(unseen);
      }),
    );
  });

  it('shows letters, marks and emoji of every script as they are', () => {
    expect(html`${'Zoë 日本語 שלום नमस्ते 🎲 ❤️'}`.text).toBe('Zoë 日本語 שלום नमस्ते 🎲 ❤️');
  });
});
