import { describe, expect, it } from '@jest/globals';
import { inThisProcess } from '../../support/cli/inProcess.js';
import { signInAt, upToConfirming } from '../../support/oauth/signInFrom.js';
import { beginInProcess } from '../../support/oauth/signInProcess.js';
import { pageText } from '../../support/oauth/browser/pageText.js';
import { newScriptedBrowser } from '../../support/oauth/browser/scriptedBrowser.js';
import { startAuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { signInStage } from '../../support/oauth/signInStage.js';

const stage = signInStage();

/** The client that the link sends the browser with. */
async function clientOf(link: string): Promise<string | null> {
  const before = stage.authorization.requests('authorization').length;
  await upToConfirming(link).catch(() => undefined);
  return stage.authorization.requests('authorization')[before]?.parameters.get('client_id') ?? null;
}

async function clientUsed(...args: string[]): Promise<string | null> {
  const { link, stop, ended } = await stage.begin(...args);
  const client = await clientOf(link);
  stop();
  await ended;
  return client;
}

it('an authorization server that is another one than last time is shown where the sign-in begins, and on its page', async () => {
  await stage.signIn();
  const another = await startAuthorizationServer();
  stage.server.behave({ alterMetadata: (metadata) => ({ ...metadata, authorization_servers: [another.issuer] }) });
  const [before, now] = [stage.authorization, another].map(({ issuer }) => new URL(issuer).host);
  const { link, stop, ended } = await stage.begin();
  const { html } = await newScriptedBrowser().open(link);
  expect(pageText(html)).toContain('The authorization server has changed.');
  for (const host of [before, now]) expect(html).toContain(`<bdi>${host}</bdi>`);
  stop();
  expect(await ended).toMatchObject({ stderr: expect.stringContaining(`Note: the authorization server has changed. Last time it was at ${before}, now it is at ${now}.`) });
  stage.server.behave({ alterMetadata: (metadata) => metadata });
  await another.stop();
});

describe('who we are at an authorization server', () => {
  it('is not a client that an admin got wrong: the next sign-in is made without it', async () => {
    expect(await clientUsed('--client-id', 'nope')).toBe('nope');
    expect(await clientUsed()).not.toBe('nope');
    await stage.signIn();
  });

  it('is the client that an admin gave once it has worked, until another is wished for', async () => {
    const { origin } = new URL((await stage.begin()).link);
    await stage.authorization.addClient({
      client_id: 'by-hand', token_endpoint_auth_method: 'none', application_type: 'native', redirect_uris: [`${origin}/oauth/callback`],
      grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
    });
    const { link, ended } = await stage.begin('--client-id', 'by-hand');
    await signInAt(link);
    expect(await ended).toMatchObject({ code: 0, stderr: expect.stringContaining('as the client by-hand, which was given') });
    expect(await clientUsed()).toBe('by-hand');
    expect(await clientUsed('--register')).not.toBe('by-hand');
    expect(await clientUsed()).not.toBe('by-hand');
  });

  it('is registered anew when the authorization server forgot it, once nobody came back with it, or when that is asked for', async () => {
    await stage.signIn();
    const worked = stage.authorization.requests('authorization').at(-1)?.parameters.get('client_id');
    await stage.authorization.forgetClients();
    const { link, stop, ended } = await stage.begin();
    const forgotten = await clientOf(link);
    expect(forgotten).toBe(worked);
    stop();
    expect(await ended).toMatchObject({ stderr: expect.stringContaining('stop with Ctrl-C and run the command again: it registers anew.') });
    expect(await clientUsed()).not.toBe(forgotten);
    await stage.signIn();
    const works = await clientUsed();
    expect(await clientUsed('--register')).not.toBe(works);
  });

  it('is registered once, also when somebody said no, with every scope that may be needed', async () => {
    await stage.authorization.forgetClients();
    await clientUsed();
    const registered = stage.authorization.requests('registration').length;
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link, { answer: 'deny' });
    await browser.submit(page);
    expect(await ended).toMatchObject({ document: { reason: 'authorization_refused' } });
    await stage.signIn();
    const made = stage.authorization.requests('registration').slice(registered);
    // The server asks for the first, and offers the second.
    expect(made.map(({ json }) => json)).toEqual([expect.objectContaining({ scope: expect.stringMatching(/^tools\b.*\badmin\b/) })]);
  });

  it.each([
    [['--client-id', ''], '--client-id takes 1 to 2000 printable ASCII characters, not spaces alone'],
    [['--client-id', ' '], '--client-id takes 1 to 2000 printable ASCII characters, not spaces alone'],
    [['--client-id', 'ключ'], '--client-id takes 1 to 2000 printable ASCII characters, not spaces alone'],
    [['--client-id', 'one', '--register'], 'either a client with --client-id, or --register'],
  ])('cannot be said with %j', async (args, message) => {
    expect(await inThisProcess(stage.data, ['mcp', 'sign-in', 'club', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('an account that the server does not take', () => {
  it('is signed in and of no use: so it is said, with what is missing, and the command fails', async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link, { scope: ['offline_access'] });
    const last = await browser.submit(page);
    expect(last.html).toContain('Signed in at club, but it cannot be used yet');
    expect(last.html).toContain('lacks scopes: “tools”. Sign in again with <code>toolledger mcp sign-in club</code>.');
    expect(last.html).not.toContain('mcp list');
    expect(await ended).toMatchObject({
      code: 1,
      document: { status: 'signed_in_unusable', reason: 'needs_reauthorization', missing: ['tools'], found: null, message: expect.stringMatching(/lacks scopes: “tools”\. Sign in again with `toolledger mcp sign-in club`/) },
    });
  });

  it('is made good by another one, of which what the server offers is told, and what was not granted', async () => {
    stage.server.behave({ challengedScope: 'tools admin' });
    const { link, ended } = await stage.begin();
    const last = await signInAt(link, { scope: ['tools', 'offline_access'] });
    expect(last.html).toContain('Not granted, though asked for: “admin”.');
    expect(await ended).toMatchObject({ code: 0, document: { status: 'signed_in', reason: null, missing: [], message: expect.stringContaining('Not granted, though asked for: “admin”.'), found: { tools: [{ name: 'whoami' }, { name: 'admin' }], hidden: [] } } });
  });
});

describe('what a server offers with an account', () => {
  it('is printed when somebody signed in, as it is when a server is added', async () => {
    const { link, ended } = await beginInProcess(stage.data, 'club', {});
    await signInAt(link);
    const { code, stdout } = await ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/whoami +Says who is asking\.[^]+admin +Needs the scope admin\.[^]+Signed in to club; it offers 2 tools\./)]);
  });
});
