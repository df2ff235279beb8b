import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Interception } from '../../support/oauth/servers/authorizationServer.js';
import { startLocalServer } from '../../support/oauth/servers/localServer.js';
import { signInAt, upToConfirming } from '../../support/oauth/signInFrom.js';
import { signInStage } from '../../support/oauth/signInStage.js';

const stage = signInStage();

beforeEach(() => void stage.newlyRecorded());
afterEach(async () => {
  stage.authorization.intercept('token', null);
  await stage.authorization.set({ audience: null, acceptsResources: true });
});

const answering = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Interception => (_request, response) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
  return true;
};

const nasty = '<img src=x onerror=alert(1)>\u202Eevil\u0007\u001b]0;pwned\u0007\r\nX: y';

describe('an answer of the token endpoint', () => {
  const good = { access_token: 'planted-access-token', token_type: 'Bearer' };
  it.each<[string, Interception, string]>([
    ['that says no, in hostile words', answering(400, { error: 'invalid_grant', error_description: nasty + 'w'.repeat(10_000) }), 'invalid_grant'],
    ['that says no at endless length', answering(400, { error: 'invalid_grant', error_description: nasty + 'w'.repeat(100_000) }), 'token_lost'],
    ['that says no with a code of its own', answering(400, { error: nasty, error_description: 'x' }), 'token_refused'],
    ['with another kind of token', answering(200, { ...good, token_type: 'DPoP' }), 'token_unusable'],
    ['with a token that breaks the line', answering(200, { ...good, access_token: 'planted-access-token\r\nHost: evil.example' }), 'token_unusable'],
    ['with a token of 17 KiB', answering(200, { ...good, access_token: 'planted-access-token'.repeat(870) }), 'token_unusable'],
    ['that is no JSON', answering(200, '<html>planted-access-token'), 'token_lost'],
    ['that leads elsewhere', answering(307, '', { location: 'https://evil.example/token' }), 'token_refused'],
    ['that is huge', answering(200, { ...good, filler: 'x'.repeat(1_000_000) }), 'token_lost'],
    ['that is a failure of its own', answering(503, 'planted-access-token'), 'token_lost'],
  ])('%s is refused, on the page, on record and where it began', async (_what, interception, reason) => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link);
    stage.authorization.intercept('token', interception);
    const last = await browser.submit(page);
    expect(last.status).toBe(424);
    expect(last.html).not.toContain('<img');
    const { code, document, stderr } = await ended;
    expect([code, document]).toMatchObject([1, { status: 'failed', reason }]);
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', `McpSignInFailed ${reason}`]);
    expect(stage.holdsAccount()).toBe(false);
    for (const text of [last.html, JSON.stringify(document), stderr]) {
      expect(text).not.toContain('planted-access-token');
      // eslint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(text.length).toBeLessThan(8_000);
    }
  });

  it('that never comes ends the sign-in, and the admin begins again', async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link);
    const cut = stage.authorization.cutToken();
    const last = browser.submit(page);
    await cut;
    expect(await last).toMatchObject({ status: 424, html: expect.stringContaining('Begin again with <code>toolledger mcp sign-in club</code>.') as unknown });
    expect(await ended).toMatchObject({ document: { reason: 'token_lost' } });
    expect(stage.holdsAccount()).toBe(false);
  });

  it('of a client that was forgotten ends the sign-in; the next one registers anew', async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link);
    await stage.authorization.forgetClients();
    expect(await browser.submit(page)).toMatchObject({ status: 424 });
    expect(await ended).toMatchObject({ document: { reason: 'invalid_client' } });
    const registered = stage.authorization.requests('registration').length;
    await stage.signIn();
    expect(stage.authorization.requests('registration')).toHaveLength(registered + 1);
  });
});

describe('a token', () => {
  it('is asked for this server alone, in every request', async () => {
    await stage.signIn();
    for (const endpoint of ['authorization', 'token'] as const) {
      expect(new Set(stage.authorization.requests(endpoint).map(({ parameters }) => parameters.get('resource')))).toEqual(new Set([stage.server.url]));
    }
  });

  it('for another resource does not let us in, and that is said', async () => {
    await stage.authorization.set({ audience: 'https://bank.example/mcp' });
    const { link, ended } = await stage.begin();
    expect(await signInAt(link)).toMatchObject({ status: 200, html: expect.stringContaining('it cannot be used yet') as unknown });
    expect(await ended).toMatchObject({ code: 1, document: { status: 'signed_in_unusable', found: null } });
    expect(await stage.run.json('call', 'whoami')).not.toMatchObject({ document: { status: 'succeeded' } });
    await stage.authorization.set({ audience: null });
    await stage.signIn();
  });

  it('that the authorization server does not give for this resource is not taken for another', async () => {
    await stage.authorization.set({ acceptsResources: false });
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link, { answer: null });
    expect(page.html).toContain('invalid_target');
    expect(await browser.submit(page)).toMatchObject({ status: 200, html: expect.stringContaining('Not signed in') as unknown });
    expect(await ended).toMatchObject({ document: { reason: 'authorization_refused' } });
  });

  it('is sent to no other origin, wherever the server leads', async () => {
    await stage.signIn();
    const seen: unknown[] = [];
    const thief = await startLocalServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(200).end();
    });
    stage.server.behave({ sendsOnTo: `${thief.origin}/mcp` });
    await stage.run('mcp', 'refresh', 'club');
    expect(await stage.run.json('call', 'whoami')).not.toMatchObject({ document: { status: 'succeeded' } });
    expect(seen).toEqual([]);
    stage.server.behave({ sendsOnTo: null });
    await thief.stop();
    const tokens = stage.server.tokensSeen();
    for (const endpoint of ['metadata', 'registration', 'authorization', 'interaction'] as const) {
      for (const { headers, body, path } of stage.authorization.requests(endpoint)) {
        expect(headers.authorization).toBeUndefined();
        expect(tokens.some((token) => `${path}${body.toString()}`.includes(token))).toBe(false);
      }
    }
  });
});
