import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { pageText } from '../../support/oauth/browser/pageText.js';
import { newScriptedBrowser, type Page, type ScriptedBrowser } from '../../support/oauth/browser/scriptedBrowser.js';
import { signInStage } from '../../support/oauth/signInStage.js';
import { signInAt, upToConfirming, type BegunSignIn } from '../../support/oauth/signInFrom.js';

const stage = signInStage();

let begun: BegunSignIn;
beforeEach(async () => {
  stage.newlyRecorded();
  begun = await stage.begin();
});
afterEach(async () => {
  begun.stop();
  stage.authorization.alterRedirect(() => undefined);
  await begun.ended;
});

/** No token was asked for and none is there, on top of what is on record. */
async function nothingCameOf(attack: () => Promise<unknown>, recorded: readonly string[]): Promise<void> {
  const asked = stage.authorization.requests('token').length;
  const held = stage.holdsAccount();
  await attack();
  expect(stage.authorization.requests('token')).toHaveLength(asked);
  expect(stage.holdsAccount()).toBe(held);
  expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', ...recorded]);
}

/** The honest admin's own browser goes on as if nothing had been. */
async function goesOn(browser: ScriptedBrowser, page: Page): Promise<void> {
  expect(await browser.submit(page)).toMatchObject({ status: 200, html: expect.stringContaining('Signed in to club') as unknown });
  expect(await begun.ended).toMatchObject({ code: 0, document: { status: 'signed_in' } });
}

async function beginsAgain(): Promise<void> {
  await begun.ended;
  await stage.signIn();
}

/** A browser that presses a button of ours without having seen the page: as a page, a program or a person elsewhere. */
function post(url: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields), headers: { origin: new URL(url).origin, ...headers } });
}

const fieldsOf = ({ forms: [form] }: Page): Record<string, string> => Object.fromEntries((form?.controls ?? []).filter(({ name }) => name !== '').map(({ name, value }): [string, string] => [name, value]));
const callbackOf = (page: Page): string => new URL('/oauth/callback', page.url).href;

describe('a first step that was not sent from our page', () => {
  it('although it says that it comes from our origin is not taken, and the link stays good', async () => {
    await nothingCameOf(async () => {
      const reply = await post(begun.link, { csrf: 'A'.repeat(43), page: 'B'.repeat(43), who: 'everyone', roles: '' });
      expect([reply.status, reply.headers.get('set-cookie')]).toEqual([403, null]);
    }, ['McpSignInRefused forged']);
    const { browser, page } = await upToConfirming(begun.link);
    await goesOn(browser, page);
  });
});

describe('an answer from another authorization server (mix-up)', () => {
  it.each([
    ['that says so', 'https://evil.example', 'issuer_wrong', 'comes from another authorization server'],
    ['that differs by a slash', null, 'issuer_wrong', 'comes from another authorization server'],
    ['that does not say so, where it was promised', '', 'issuer_missing', 'does not say that it comes from'],
  ] as const)('%s is not used', async (_what, iss, reason, sentence) => {
    stage.authorization.alterRedirect(({ searchParams }) => {
      if (iss === '') searchParams.delete('iss');
      else searchParams.set('iss', iss ?? `${stage.authorization.issuer}/`);
    });
    await nothingCameOf(async () => {
      const { browser, page } = await upToConfirming(begun.link);
      expect(page).toMatchObject({ status: 200, html: expect.stringContaining(sentence) as unknown });
      expect(page.html).toContain('Begin again with <code>toolledger mcp sign-in club</code>.');
      expect(pageText(page.html)).not.toContain('evil.example');
      expect(await browser.submit(page)).toMatchObject({ status: 403, html: expect.stringContaining('not from the expected server') as unknown });
    }, [`McpSignInFailed ${reason}`]);
    expect(await begun.ended).toMatchObject({ code: 1, document: { status: 'failed', reason, message: expect.stringContaining('Begin again with `toolledger mcp sign-in club`.') as unknown } });
    stage.authorization.alterRedirect(() => undefined);
    await beginsAgain();
  });

  it('with an error shows none of its words', async () => {
    stage.authorization.alterRedirect(({ searchParams }) => {
      searchParams.set('iss', 'https://evil.example');
      searchParams.delete('code');
      searchParams.set('error', 'call_the_helpdesk');
      searchParams.set('error_description', 'Call 555-0199 and read your password out.');
    });
    const { browser, page } = await upToConfirming(begun.link);
    const last = await browser.submit(page);
    for (const { html } of [page, last]) expect(pageText(html)).not.toMatch(/helpdesk|555-0199/);
    expect(JSON.stringify(await begun.ended)).not.toMatch(/helpdesk|555-0199/);
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInFailed issuer_wrong']);
  });
});

describe('a state', () => {
  it('that is brought again after the end, by another browser or with another code, is refused', async () => {
    const { browser, page } = await upToConfirming(begun.link);
    await goesOn(browser, page);
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInCompleted']);
    const asked = stage.authorization.requests('token').length;
    const thief = newScriptedBrowser();
    expect(await thief.open(page.url)).toMatchObject({ status: 409, html: expect.stringContaining('<dt>MCP server</dt><dd><bdi>club</bdi>') as unknown });
    expect(await thief.open(begun.link)).toMatchObject({ status: 409 });
    expect(stage.newlyRecorded()).toEqual([]);
    expect(await thief.submit(page)).toMatchObject({ status: 409, html: expect.stringContaining('used already') as unknown });
    for (const entries of [{ code: 'another-code' }, { csrf: 'A'.repeat(43) }, { iss: 'https://evil.example' }]) expect(await browser.submit(page, entries)).toMatchObject({ status: 409 });
    expect(stage.newlyRecorded()).toEqual(Array.from({ length: 4 }, () => 'McpSignInRefused state_used'));
    expect(stage.authorization.requests('token')).toHaveLength(asked);
  });

  it('that its own browser brings again after the end does nothing, and nobody was turned away', async () => {
    const { browser, page } = await upToConfirming(begun.link);
    await goesOn(browser, page);
    const asked = stage.authorization.requests('token').length;
    await stage.unchangedBy(async () => expect(await browser.submit(page)).toMatchObject({ status: 200, html: expect.stringContaining('signed in already') as unknown }));
    expect(stage.authorization.requests('token')).toHaveLength(asked);
  });

  it('that is brought again with another code while the first is exchanged is refused', async () => {
    const { browser, page } = await upToConfirming(begun.link);
    const held = stage.authorization.holdToken();
    const first = browser.submit(page);
    await held.made;
    const asked = stage.authorization.requests('token').length;
    expect(await browser.submit(page, { code: 'another-code' })).toMatchObject({ status: 409 });
    expect(stage.authorization.requests('token')).toHaveLength(asked);
    held.release();
    expect((await first).status).toBe(200);
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInRefused state_used', 'McpSignInCompleted']);
  });

  it('that nobody gave out is refused, also where its sign-in exists', async () => {
    const { browser, page } = await upToConfirming(begun.link);
    const [signInId = '', secret = ''] = new URL(page.url).searchParams.get('state')?.split('.') ?? [];
    const foreign = [`${signInId}.${'A'.repeat(secret.length)}`, `00000000-0000-4000-8000-000000000000.${secret}`, 'abc', begun.link.split('/').at(-1) ?? ''];
    await nothingCameOf(async () => {
      for (const state of foreign) {
        const { status, html } = await browser.submit(page, { state });
        expect([status, html]).toEqual([404, expect.stringContaining('There is no such sign-in, or it has ended')]);
        expect(html).not.toContain('club');
      }
    }, ['McpSignInRefused state_wrong', 'McpSignInRefused state_wrong']);
    await goesOn(browser, page);
  });

  it('of another sign-in does not do for this one, in a browser that has its cookie', async () => {
    const other = await stage.begin();
    const mine = await upToConfirming(begun.link);
    const theirs = await upToConfirming(other.link);
    const state = new URL(theirs.page.url).searchParams.get('state') ?? '';
    expect(await mine.browser.submit(mine.page, { state })).toMatchObject({ status: 403, html: expect.stringContaining('begun in another browser') as unknown });
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInStarted', 'McpSignInRefused other_browser']);
    await goesOn(mine.browser, mine.page);
    expect(await theirs.browser.submit(theirs.page)).toMatchObject({ status: 200 });
    await other.ended;
  });

  it('is not known before anybody was sent to the authorization server, though the link is', async () => {
    const browser = newScriptedBrowser();
    const start = await browser.open(begun.link);
    const word = begun.link.split('/').at(-1) ?? '';
    await nothingCameOf(async () => {
      const { status } = await post(callbackOf(start), { state: word, code: 'c', csrf: fieldsOf(start)['csrf'] ?? '' });
      expect(status).toBe(404);
    }, ['McpSignInRefused state_wrong']);
    expect((await signInAt(begun.link)).status).toBe(200);
  });
});

describe('a code', () => {
  it('of somebody else (code injection) is not exchanged for the admin', async () => {
    const attackers = await stage.begin();
    const stolen = new URL((await upToConfirming(attackers.link)).page.url).searchParams.get('code') ?? '';
    const { browser, page } = await upToConfirming(begun.link);
    const held = stage.holdsAccount();
    expect(await browser.submit(page, { code: stolen })).toMatchObject({ status: 424, html: expect.stringContaining('did not succeed') as unknown });
    expect(stage.holdsAccount()).toBe(held);
    expect(await begun.ended).toMatchObject({ code: 1, document: { status: 'failed', reason: expect.stringMatching(/^invalid_(grant|client)$/) as unknown } });
    expect(JSON.stringify(await begun.ended)).not.toContain(stolen);
    attackers.stop();
    await beginsAgain();
  });

  it('of the same client with another verifier is not exchanged either', async () => {
    // Signed in once, the client is known and shared from then on.
    expect((await signInAt(begun.link)).status).toBe(200);
    const [victims, attackers] = [await stage.begin(), await stage.begin()];
    const stolen = new URL((await upToConfirming(attackers.link)).page.url).searchParams.get('code') ?? '';
    const { browser, page } = await upToConfirming(victims.link);
    expect(await browser.submit(page, { code: stolen })).toMatchObject({ status: 424 });
    expect(await victims.ended).toMatchObject({ code: 1 });
    attackers.stop();
  });
});

describe('another browser', () => {
  it('cannot follow a link that was followed, nor bring the answer', async () => {
    const { browser, page } = await upToConfirming(begun.link);
    const thief = newScriptedBrowser();
    await nothingCameOf(async () => {
      expect(await thief.open(begun.link)).toMatchObject({ status: 409 });
      expect(await thief.open(page.url)).toMatchObject({ status: 403, html: expect.stringContaining('begun in another browser') as unknown });
      const fields = fieldsOf(page);
      expect((await post(callbackOf(page), fields)).status).toBe(403);
      expect((await post(callbackOf(page), fields, { cookie: `toolledger-signin-${fields['state']?.split('.')[0] ?? ''}=${'A'.repeat(43)}` })).status).toBe(403);
      expect((await post(begun.link, { csrf: fields['csrf'] ?? '', page: 'A'.repeat(43), who: 'everyone', roles: '' })).status).toBe(409);
    }, ['McpSignInRefused other_browser', 'McpSignInRefused other_browser', 'McpSignInRefused link_used']);
    await goesOn(browser, page);
  });

  it('is nobody that the history knows, and not the admin who began', async () => {
    const { browser, page } = await upToConfirming(begun.link);
    await newScriptedBrowser().submit(page);
    await post(callbackOf(page), fieldsOf(page), { origin: 'https://evil.example' });
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInRefused other_browser', 'McpSignInRefused foreign_origin']);
    const { document } = await stage.run.json('mcp', 'history', 'club');
    const entries = (document as unknown as { lives: { entries: { type: string; actor: string; door: string }[] }[] }).lives.flatMap((life) => life.entries);
    const doers = (type: string) => new Set(entries.filter((entry) => entry.type === type).map(({ actor, door }) => `${actor} through ${door}`));
    expect(doers('McpSignInRefused')).toEqual(new Set(['system through system']));
    expect(doers('McpSignInStarted')).not.toContain('system through system');
    await goesOn(browser, page);
  });

  it('that follows the link first makes the admin see that', async () => {
    const thief = newScriptedBrowser();
    const start = await newScriptedBrowser().open(begun.link);
    await thief.submit(await thief.open(begun.link));
    const browser = newScriptedBrowser();
    expect(await browser.submit(start)).toMatchObject({ status: 409, html: expect.stringContaining('If it was not you') as unknown });
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInRefused link_used']);
  });
});

describe('a page elsewhere (login CSRF)', () => {
  const elsewhere = [{ origin: 'https://evil.example' }, { origin: 'null' }, { origin: 'http://127.0.0.1:1' }];

  it('cannot press Continue with the link of an attacker', async () => {
    const csrf = fieldsOf(await newScriptedBrowser().open(begun.link))['csrf'] ?? '';
    await nothingCameOf(async () => {
      for (const headers of elsewhere) {
        const answer = await post(begun.link, { csrf, who: 'everyone', roles: '' }, headers);
        expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
      }
    }, elsewhere.map(() => 'McpSignInRefused foreign_origin'));
    expect((await signInAt(begun.link)).status).toBe(200);
  });

  it('cannot press Confirm, in the very browser that has the cookie', async () => {
    const { browser, page } = await upToConfirming(begun.link);
    const cookie = browser.requests.at(-1)?.headers['cookie'] ?? '';
    expect(cookie).toContain('toolledger-signin-');
    await nothingCameOf(async () => {
      for (const headers of elsewhere) expect((await post(callbackOf(page), fieldsOf(page), { ...headers, cookie })).status).toBe(403);
    }, elsewhere.map(() => 'McpSignInRefused foreign_origin'));
    await goesOn(browser, page);
  });

  it('cannot do with a form of ours that it guessed', async () => {
    const { browser, page } = await upToConfirming(begun.link);
    await nothingCameOf(async () => {
      expect(await browser.submit(page, { csrf: 'A'.repeat(43) })).toMatchObject({ status: 403, html: expect.stringContaining('Not sent from the sign-in page') as unknown });
    }, ['McpSignInRefused forged']);
    await goesOn(browser, page);
  });

  it('fills the ledger with twenty refusals and no more', async () => {
    const csrf = fieldsOf(await newScriptedBrowser().open(begun.link))['csrf'] ?? '';
    for (let count = 0; count < 25; count += 1) await post(begun.link, { csrf, who: 'everyone', roles: '' }, { origin: 'https://evil.example' });
    expect(stage.newlyRecorded()).toHaveLength(21);
    expect((await signInAt(begun.link)).status).toBe(200);
  });
});

describe('an address of ours', () => {
  it('leads nowhere but to the authorization server (open redirect)', async () => {
    const browser = newScriptedBrowser();
    const start = await browser.open(`${begun.link}?redirect_uri=https://evil.example&next=//evil.example&iss=https://evil.example`);
    expect(start.status).toBe(200);
    const sent = await browser.submit(start, {}, { stopBefore: stage.authorization.issuer });
    expect(new URL(sent.url).origin).toBe(stage.authorization.issuer);
    expect(new URL(sent.url).searchParams.get('redirect_uri')).toBe(callbackOf(start));
    const { origin } = new URL(begun.link);
    for (const path of ['/oauth/start//evil.example', '/oauth/start/https:%2F%2Fevil.example', '/oauth/start/%2F%2Fevil.example', '/oauth/callback?next=https://evil.example', '/oauth//evil.example']) {
      const { status, headers } = await fetch(origin + path, { redirect: 'manual' });
      expect([path, status >= 400, headers.get('location')]).toEqual([path, true, null]);
    }
  });
});

describe('an authorization server without RFC 9207', () => {
  let second: AuthorizationServer;
  beforeAll(async () => {
    second = await startAuthorizationServer();
  });
  afterAll(() => second.stop());

  it('is believed without iss, and not with the iss of another', async () => {
    stage.authorization.alterMetadata((metadata) => ({ ...metadata, authorization_response_iss_parameter_supported: undefined }));
    stage.authorization.alterRedirect(({ searchParams }) => searchParams.set('iss', second.issuer));
    const mixed = await stage.begin();
    const { browser, page } = await upToConfirming(mixed.link);
    expect(await browser.submit(page)).toMatchObject({ status: 403 });
    expect(await mixed.ended).toMatchObject({ document: { reason: 'issuer_wrong' } });
    stage.authorization.alterRedirect(({ searchParams }) => searchParams.delete('iss'));
    await stage.signIn();
    stage.authorization.alterMetadata((metadata) => metadata);
  });
});
