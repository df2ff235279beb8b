import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openToolledger } from '../../../src/app/openToolledger.js';
import { signInLink, signInToMcpServer } from '../../../src/operations/servers/signIn/signInToMcpServer.js';
import { readConfig } from '../../../src/platform/config.js';
import { makeLog } from '../../../src/platform/log.js';
import { jsonInThisProcess } from '../../support/cli/inProcess.js';
import { startLocalServer } from '../../support/oauth/servers/localServer.js';
import { loginElsewhere, sendBack } from '../../support/oauth/servers/loginElsewhere.js';
import { pageText } from '../../support/oauth/browser/pageText.js';
import { newScriptedBrowser, type Page } from '../../support/oauth/browser/scriptedBrowser.js';
import { signInStage } from '../../support/oauth/signInStage.js';
import { signInAt, upToConfirming } from '../../support/oauth/signInFrom.js';
import { changeSignIn, secretNames } from '../../support/oauth/signInTraces.js';

const stage = signInStage();

beforeEach(() => void stage.newlyRecorded());

const completed = ['McpSignInStarted', 'McpSignInCompleted'];

/** As chat services, mail programs and browsers look at addresses before anybody opens them. */
async function lookAhead(url: string): Promise<void> {
  const kinds: RequestInit[] = [
    {},
    { method: 'HEAD' },
    { headers: { 'sec-purpose': 'prefetch;prerender', purpose: 'prefetch' } },
    { headers: { 'user-agent': 'Discordbot/2.0', accept: '*/*' } },
    { method: 'OPTIONS' },
  ];
  for (const kind of kinds) await (await fetch(url, { redirect: 'manual', ...kind })).text();
}

describe('previews and prefetches', () => {
  it('of every address of a sign-in, at every step, change nothing, and it goes on', async () => {
    const { link, ended } = await stage.begin();
    const { origin } = new URL(link);
    const addresses = [link, `${origin}/oauth/callback`, `${origin}/oauth/client-metadata.json`];
    const lookAtAll = () => stage.unchangedBy(async () => Promise.all(addresses.map(lookAhead)));
    await lookAtAll();
    const browser = newScriptedBrowser();
    const start = await browser.open(link);
    await lookAtAll();
    const consent = await browser.submit(start);
    await lookAtAll();
    const page = await browser.submit(consent, { answer: 'allow' });
    addresses.push(page.url);
    await lookAtAll();
    // With the cookie too: a browser that prerenders has it.
    await stage.unchangedBy(() => browser.open(page.url));
    expect((await browser.submit(page)).status).toBe(200);
    await lookAtAll();
    expect(await ended).toMatchObject({ code: 0 });
    expect(stage.newlyRecorded()).toEqual(completed);
  });
});

describe('the page of a link', () => {
  it('says where the server is, and no more of its URL than that', async () => {
    const { link, ended, stop } = await stage.begin();
    const { html } = await newScriptedBrowser().open(link);
    const { origin, pathname } = new URL(stage.server.url);
    expect(html).toContain(`<dt>It is at</dt><dd><bdi>${origin}</bdi></dd>`);
    expect(html).not.toContain(origin + pathname);
    // Of `local`, whose operator began: they are all there is.
    expect(pageText(html)).toContain('Nobody in the workspace local has roles');
    expect(pageText(html)).not.toContain('No member of the guild');
    stop();
    await ended;
    stage.newlyRecorded();
  });
});

describe('a person in a hurry', () => {
  it('who presses Continue twice, and then goes back and chooses again, gets on', async () => {
    const { link, ended } = await stage.begin();
    const browser = newScriptedBrowser();
    const start = await browser.open(link);
    await browser.submit(start);
    expect((await browser.submit(start)).forms).toHaveLength(1);
    const again = await browser.open(link);
    expect(again.status).toBe(200);
    const consent = await browser.submit(again, { who: 'signer' });
    const page = await browser.submit(consent, { answer: 'allow' });
    expect(page.html).toContain('only the operator of this machine');
    await browser.submit(page);
    await ended;
    expect(stage.newlyRecorded()).toEqual(completed);
    // What was chosen holds, and is what the next sign-in begins with.
    const next = await stage.begin();
    const offered = await newScriptedBrowser().open(next.link);
    expect(offered.html).toMatch(/value="signer" required checked/);
    expect((await signInAt(next.link, { audience: { who: 'everyone' } })).status).toBe(200);
    await next.ended;
  });

  it('whose double click drops the first answer, cookie and all, gets on; a page that was opened meanwhile does not', async () => {
    const { link, ended } = await stage.begin();
    const browser = newScriptedBrowser();
    const [start, other] = [await browser.open(link), await newScriptedBrowser().open(link)];
    // What another one's jar takes, this one's never gets.
    await newScriptedBrowser().submit(start);
    expect(await newScriptedBrowser().submit(other)).toMatchObject({ status: 409 });
    const consent = await browser.submit(start);
    expect(await browser.submit(await browser.submit(consent, { answer: 'allow' }))).toMatchObject({ status: 200 });
    expect(await ended).toMatchObject({ code: 0 });
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInRefused link_used', 'McpSignInCompleted']);
  });

  it('who presses Continue twice at once gets on both times', async () => {
    const { link, ended, stop } = await stage.begin();
    const start = await newScriptedBrowser().open(link);
    const led = await Promise.all([1, 2, 3].map(async () => newScriptedBrowser().submit(start)));
    expect(led.map(({ status, forms }) => [status, forms.length])).toEqual(Array.from({ length: 3 }, () => [200, 1]));
    stop();
    await ended;
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted']);
  });

  it('who chooses again in another tab cannot confirm what the first tab says', async () => {
    const { link, ended } = await stage.begin();
    const browser = newScriptedBrowser();
    const { page: first } = await upToConfirming(link, { browser, audience: { who: 'signer' } });
    expect(first.html).toContain('only the operator of this machine');
    const again = await browser.submit(await browser.open(link), { who: 'everyone' });
    const second = again.url.includes('/oauth/callback') ? again : await browser.submit(again, { answer: 'allow' });
    expect(second.html).toContain('everyone in the workspace');
    expect(await browser.submit(first)).toMatchObject({ status: 404, html: expect.stringContaining('chose again, go on from there') as unknown });
    expect(await browser.submit(second)).toMatchObject({ status: 200 });
    expect(await ended).toMatchObject({ code: 0 });
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInRefused state_wrong', 'McpSignInCompleted']);
  });

  it('who presses Confirm twice at once is signed in once, and sees so both times', async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link);
    const asked = stage.authorization.requests('token').length;
    const held = stage.authorization.holdToken();
    const first = browser.submit(page);
    await held.made;
    const second = browser.submit(page);
    held.release();
    for (const shown of await Promise.all([first, second])) expect([shown.status, shown.html]).toEqual([200, expect.stringContaining('Signed in to club; it offers 2 tools.')]);
    expect(stage.authorization.requests('token')).toHaveLength(asked + 1);
    expect(await ended).toMatchObject({ document: { status: 'signed_in' } });
    expect(stage.newlyRecorded()).toEqual(completed);
  });

  it('who goes back or reloads after the end is told that they are signed in, and nobody was turned away', async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link);
    await browser.submit(page);
    await ended;
    await stage.unchangedBy(async () => {
      for (const again of [await browser.open(page.url), await browser.open(link), await browser.submit(page)]) {
        expect([again.status, pageText(again.html)]).toEqual([200, expect.stringContaining('You are signed in already')]);
        expect(again.html).not.toContain('class="stop"');
      }
    });
  });

  it('who reloads after a sign-in that came to nothing is not told that they are signed in', async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link, { answer: 'deny' });
    await browser.submit(page);
    await ended;
    for (const again of [await browser.open(page.url), await browser.submit(page)]) expect(again).toMatchObject({ status: 410, html: expect.stringContaining('ended without an account') as unknown });
    expect(await newScriptedBrowser().submit(page)).toMatchObject({ status: 409 });
    // Nobody was turned away but who is somebody else.
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInFailed authorization_refused', 'McpSignInRefused state_used']);
  });

  it('who goes back from the last question to the authorization server answers again, and that counts', async () => {
    const { link, ended } = await stage.begin();
    const { browser } = await upToConfirming(link);
    // The authorization server remembers who signed in there.
    const again = await browser.submit(await browser.open(link));
    const page = again.url.includes('/oauth/callback') ? again : await browser.submit(again, { answer: 'allow' });
    expect(await browser.submit(page)).toMatchObject({ status: 200 });
    expect(await ended).toMatchObject({ code: 0 });
  });
});

describe('two sign-ins at once', () => {
  it('in one browser do not meet', async () => {
    const browser = newScriptedBrowser();
    const [one, other] = [await stage.begin(), await stage.begin()];
    const first = await upToConfirming(one.link, { browser });
    const secondStart = await browser.submit(await browser.open(other.link));
    const second = secondStart.url.includes('/oauth/callback') ? secondStart : await browser.submit(secondStart, { answer: 'allow' });
    expect(await browser.submit(second)).toMatchObject({ status: 200 });
    expect(await browser.submit(first.page)).toMatchObject({ status: 200 });
    expect([await one.ended, await other.ended]).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(stage.newlyRecorded().filter((entry) => entry.includes('Refused'))).toEqual([]);
  });

  it('in two browsers do not meet, and each browser ends its own only', async () => {
    const [one, other] = [await stage.begin(), await stage.begin()];
    const [first, second] = [await upToConfirming(one.link), await upToConfirming(other.link)];
    expect(await first.browser.open(second.page.url)).toMatchObject({ status: 403 });
    expect(await first.browser.submit(first.page)).toMatchObject({ status: 200 });
    expect(await second.browser.submit(second.page)).toMatchObject({ status: 200 });
    expect([await one.ended, await other.ended]).toMatchObject([{ code: 0 }, { code: 0 }]);
  });
});

describe('a first look with a new account that somebody else cuts off', () => {
  let signingIn: { readonly shown: Promise<Page>; readonly ended: Promise<unknown> };
  let listing: { readonly release: () => void };
  beforeEach(async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link);
    const held = stage.server.holdListing();
    listing = held;
    signingIn = { shown: browser.submit(page), ended };
    await held.made;
  });
  afterEach(() => void stage.newlyRecorded());

  it.each(['refresh', 'disable'])('by mcp %s is made again, and the server works', async (how) => {
    expect(await stage.run.json('mcp', how, 'club')).toMatchObject({ code: 0 });
    listing.release();
    expect(pageText((await signingIn.shown).html)).toContain('Signed in to club; it offers 2 tools.');
    expect(await signingIn.ended).toMatchObject({ code: 0, document: { status: 'signed_in', found: { tools: [{}, {}] } } });
    await stage.run('mcp', 'enable', 'club');
  });

  it('by another sign-in is told what is so: the other account is used', async () => {
    const other = await stage.begin();
    expect((await signInAt(other.link)).html).toContain('Signed in to club; it offers 2 tools.');
    listing.release();
    expect(pageText((await signingIn.shown).html)).toContain('Another sign-in at club went through at the same time');
    expect([await signingIn.ended, await other.ended]).toMatchObject([{ code: 1, document: { reason: 'signed_in_elsewhere' } }, { code: 0, document: { status: 'signed_in' } }]);
    expect(await stage.run.json('call', 'whoami')).toMatchObject({ code: 0 });
  });

  it('by mcp sign-out is told what is so: nobody is signed in', async () => {
    expect(await stage.run.json('mcp', 'sign-out', 'club')).toMatchObject({ code: 0 });
    listing.release();
    const text = pageText((await signingIn.shown).html);
    expect(text).toContain('it was signed out');
    expect(text).not.toContain('Signed in to club');
    expect(await signingIn.ended).toMatchObject({ code: 1, document: { status: 'failed', reason: 'signed_out' } });
    await stage.signIn();
  });
});

it('a refresh that somebody else\u2019s sign-in cuts off looks again, with the account that is there now', async () => {
  const { link, ended } = await stage.begin();
  const { browser, page } = await upToConfirming(link);
  const held = stage.server.holdListing();
  const refreshing = stage.run.json('mcp', 'refresh', 'club');
  await held.made;
  expect(await browser.submit(page)).toMatchObject({ status: 200, html: expect.stringContaining('it offers 2 tools') as unknown });
  held.release();
  expect(await refreshing).toMatchObject({ code: 0, document: { tools: 2 } });
  await ended;
  stage.newlyRecorded();
});

describe('an authorization server with its login at another host', () => {
  it('is not stopped by our form-action, which browsers hold against redirects too', async () => {
    const login = await startLocalServer((request, response) => sendBack(request.url, response));
    stage.authorization.intercept('authorization', loginElsewhere('https://id.example/login', stage.authorization.issuer));
    const { link, ended } = await stage.begin();
    const browser = newScriptedBrowser({ 'https://id.example': login.origin });
    const { page } = await upToConfirming(link, { browser });
    expect(browser.requests.some(({ url }) => url.startsWith('https://id.example/login'))).toBe(true);
    expect(await browser.submit(page)).toMatchObject({ status: 200 });
    expect(await ended).toMatchObject({ code: 0 });
    stage.authorization.intercept('authorization', null);
    await login.stop();
  });
});

describe('a sign-in that comes to nothing', () => {
  it('says so on the page, on record and where it began, when the admin says no', async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link, { answer: 'deny' });
    expect(page.html).toContain('did not let you sign in. It says: \u201caccess_denied: The person at the authorization server said no');
    expect(page.html).toContain('Press the button to tell whoever waits for this sign-in, so that they can begin again at once.');
    const last = await browser.submit(page);
    expect([last.status, last.html]).toEqual([200, expect.stringContaining('Not signed in at club')]);
    expect(last.html).toContain('<code>toolledger mcp sign-in club</code> begins again.');
    expect(await ended).toMatchObject({ code: 1, document: { status: 'failed', reason: 'authorization_refused', message: expect.stringContaining('The person at the authorization server said no') as unknown } });
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInFailed authorization_refused']);
    await stage.signIn();
  });

  it.each(['before it was followed', 'before it was confirmed'])('ends when its time is over %s', async (when) => {
    const { link, ended, stop } = await stage.begin();
    const browser = newScriptedBrowser();
    const page = when === 'before it was followed' ? await browser.open(link) : (await upToConfirming(link, { browser })).page;
    const asked = stage.authorization.requests('token').length;
    await changeSignIn(stage.data, (pending) => ({ ...pending, expiresAt: 1 }));
    await stage.unchangedBy(async () => expect(await browser.open(page.url)).toMatchObject({ status: 410 }));
    expect(await browser.submit(page)).toMatchObject({ status: 410, html: expect.stringContaining('it lasts 10 minutes') as unknown });
    expect(await ended).toMatchObject({ code: 1, document: { status: 'failed', reason: 'expired' } });
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInFailed expired']);
    expect(stage.authorization.requests('token')).toHaveLength(asked);
    stop();
  });

  it('leaves nothing secret behind', () => {
    expect(secretNames(stage.data).filter((name) => name !== 'signIn')).toEqual(['client', 'grant', 'url']);
  });
});

describe('the command', () => {
  it('that is stopped says that the sign-in goes on, and it does', async () => {
    const { link, ended, stop } = await stage.begin();
    stop();
    expect(await ended).toMatchObject({ code: 1, document: { status: 'pending', message: expect.stringMatching(/goes on in the browser until \d\d:\d\d UTC/) as unknown } });
    expect(await signInAt(link)).toMatchObject({ status: 200 });
    expect(stage.newlyRecorded()).toEqual(completed);
  });
});

describe('what happens to the server meanwhile', () => {
  const bystander = 'other';
  let confirming: { readonly submit: () => Promise<Page>; readonly ended: Promise<unknown> };
  beforeEach(async () => {
    await stage.run.json('mcp', 'add', stage.server.url, '--name', bystander);
    stage.newlyRecorded();
    const { link, ended } = await stage.beginAt(bystander);
    const { browser, page } = await upToConfirming(link);
    confirming = { submit: () => browser.submit(page), ended };
  });
  afterEach(async () => {
    await stage.run('mcp', 'remove', bystander);
    stage.newlyRecorded();
  });

  it('it is removed: the sign-in ends at once, and nothing is kept', async () => {
    expect(await stage.run.json('mcp', 'remove', bystander)).toMatchObject({ code: 0 });
    expect(await confirming.ended).toMatchObject({ code: 1, document: { status: 'failed', reason: 'server_removed' } });
    const asked = stage.authorization.requests('token').length;
    expect(await confirming.submit()).toMatchObject({ status: 410, html: expect.stringContaining('ended because the server was removed') as unknown });
    expect(stage.authorization.requests('token')).toHaveLength(asked);
    // Nobody used it, so nobody was turned away.
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInFailed server_removed']);
  });

  it('it is removed while the tokens are fetched: they are revoked, and nothing is kept', async () => {
    const held = stage.authorization.holdToken();
    const last = confirming.submit();
    await held.made;
    expect(await stage.run.json('mcp', 'remove', bystander)).toMatchObject({ code: 0 });
    const revoked = stage.authorization.requests('revocation').length;
    held.release();
    expect(await last).toMatchObject({ status: 410, html: expect.stringContaining('removed while you signed in') as unknown });
    expect(await confirming.ended).toMatchObject({ code: 1, document: { reason: 'server_removed' } });
    expect(stage.authorization.requests('revocation')).toHaveLength(revoked + 2);
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpTokensGivenUp server_removed', 'McpSignInFailed server_removed']);
    expect(secretNames(stage.data).filter((name) => name === 'grant')).toHaveLength(1);
  });

  it('it is removed and added again: an old link says why the sign-in has ended, and not that somebody used it', async () => {
    const { link, ended } = await stage.beginAt(bystander);
    await stage.run('mcp', 'remove', bystander);
    await ended;
    await stage.run('mcp', 'add', stage.server.url, '--name', bystander);
    await stage.unchangedBy(async () => {
      const { status, html } = await newScriptedBrowser().open(link);
      expect([status, pageText(html)]).toEqual([410, expect.stringContaining('This sign-in has ended because the server was removed')]);
      expect(html).not.toContain('used already');
    });
  });

  it('it is disabled: the account is there when it is enabled again', async () => {
    await stage.run('mcp', 'disable', bystander);
    expect(await confirming.submit()).toMatchObject({ status: 200, html: expect.stringContaining('It is disabled: <code>toolledger mcp enable other</code>') as unknown });
    expect(await confirming.ended).toMatchObject({ code: 0, document: { status: 'signed_in' } });
    await stage.run('mcp', 'enable', bystander);
    expect(await stage.run.json('mcp', 'refresh', bystander)).toMatchObject({ code: 0, document: { tools: 2 } });
  });

  it('it is disabled before: that is said when the sign-in is begun, there and on its page', async () => {
    await stage.run('mcp', 'disable', bystander);
    const { link, stop, ended } = await stage.beginAt(bystander);
    expect((await newScriptedBrowser().open(link)).html).toContain('This server is disabled. Once you have signed in, <code>toolledger mcp enable other</code> puts it to use.');
    stop();
    expect((await ended).stderr).toContain('Note: other is disabled. Once you have signed in, toolledger mcp enable other puts it to use.');
  });

  it('it gets a token: what is confirmed last holds', async () => {
    await stage.run('mcp', 'refresh', 'club');
    const input = stage.server.requests.at(-1)?.token ?? '';
    expect(await jsonInThisProcess(stage.data, ['mcp', 'set-token', bystander, '--token-stdin'], { input })).toMatchObject({ code: 0 });
    expect(secretNames(stage.data)).toContain('token');
    expect(await confirming.submit()).toMatchObject({ status: 200, html: expect.stringContaining('it offers 2 tools') as unknown });
    expect(await confirming.ended).toMatchObject({ code: 0 });
    expect(secretNames(stage.data)).not.toContain('token');
  });

  it('a look at it from before hangs: what that finds is not taken for news of the account', async () => {
    const refusal = stage.server.holdRefusal();
    const looking = stage.run.json('mcp', 'refresh', bystander);
    await refusal.made;
    const last = confirming.submit();
    const accounts = (): number => secretNames(stage.data).filter((name) => name === 'grant').length;
    while (accounts() < 2) await stage.run('mcp', 'list');
    refusal.release();
    expect(await last).toMatchObject({ status: 200, html: expect.stringContaining('it offers 2 tools') as unknown });
    expect(await confirming.ended).toMatchObject({ code: 0, document: { status: 'signed_in' } });
    await looking;
    expect(await stage.run.json('mcp', 'list')).toMatchObject({ document: { servers: expect.arrayContaining([expect.objectContaining({ name: bystander, state: 'enabled' })]) as unknown } });
  });
});

describe('who begins for somebody', () => {
  const [who, config] = ['123456789012345678', () => readConfig({ TOOLLEDGER_DATA: stage.data })] as const;

  it('and they are erased before it is confirmed: nothing is asked for or kept', async () => {
    await stage.run('call', 'roll_dice', '{"notation":"1d6"}', '--user', who);
    const toolledger = openToolledger(config(), makeLog({ level: 'silent', destination: process.stderr }))({ dataDir: stage.data, command: 'test', notice: () => undefined, misconfigured: false });
    let told: (link: string) => void = () => undefined;
    const link = new Promise<string>((resolve) => (told = resolve));
    const ended = toolledger.invoke(signInToMcpServer, { name: 'club', workspace: 'local' }, { onBehalfOf: who, onProgress: (progress) => told(signInLink.parse(progress).link) });
    const { browser, page } = await upToConfirming(await link);
    expect(page.html).toMatch(/Begun by<\/dt><dd><bdi>person /);
    expect(page.html).not.toContain(who);
    expect(await stage.run('privacy', 'erase', '--user', who, '--yes')).toMatchObject({ code: 0 });
    const asked = stage.authorization.requests('token').length;
    // Before anybody opens or presses anything.
    expect(await ended).toMatchObject({ status: 'failed', reason: 'signer_erased' });
    expect(await browser.open(await link)).toMatchObject({ status: 410, html: expect.stringContaining('was erased') as unknown });
    expect(await browser.submit(page)).toMatchObject({ status: 410, html: expect.stringContaining('was erased') as unknown });
    expect(stage.authorization.requests('token')).toHaveLength(asked);
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInFailed signer_erased']);
  });
});
