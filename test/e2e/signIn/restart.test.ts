import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exchangeCode } from '../../../src/mcp/client/authorization/tokens/tokens.js';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { startServe } from '../../support/cli/served.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { freePort } from '../../support/oauth/freePort.js';
import { startLocalServer } from '../../support/oauth/servers/localServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { newScriptedBrowser } from '../../support/oauth/browser/scriptedBrowser.js';
import { signInAt, upToConfirming } from '../../support/oauth/signInFrom.js';
import { beginInProcess } from '../../support/oauth/signInProcess.js';
import { changeSignIn, secretNames, signInRecord } from '../../support/oauth/signInTraces.js';

const nextDirectory = dataDirectories();
let authorization: AuthorizationServer;
let server: ProtectedMcpServer;
let data: string;
let env: { readonly TOOLLEDGER_PORT: string };

beforeAll(async () => {
  authorization = await startAuthorizationServer();
  server = await startProtectedMcpServer(authorization);
});
afterAll(async () => {
  await server.stop();
  await authorization.stop();
});
beforeEach(async () => {
  data = nextDirectory();
  env = { TOOLLEDGER_PORT: String(await freePort()) };
  expect(await jsonInThisProcess(data, ['mcp', 'add', server.url, '--name', 'club'])).toMatchObject({ code: 0 });
});

const started = 'McpSignInStarted';
const signedIn = [started, 'McpSignInCompleted'];

async function toolsWork(): Promise<void> {
  expect(await jsonInThisProcess(data, ['call', 'whoami'], { env })).toMatchObject({ code: 0, document: { status: 'succeeded' } });
}

const brought = { cookie: '', answer: '' };

describe('with no serve running', () => {
  it('the command listens itself, and the last page comes through', async () => {
    const command = await beginInProcess(data, 'club', env);
    expect(new URL(command.link).port).toBe(env.TOOLLEDGER_PORT);
    const last = await signInAt(command.link);
    expect([last.status, last.html]).toEqual([200, expect.stringMatching(/Signed in to club; it offers 2 tools\.[^]*<\/html>\s*$/)]);
    expect(await command.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed in to club; it offers 2 tools.') as unknown });
    await toolsWork();
  });

  it('Ctrl-C says what to do, and a serve on the same port goes on', async () => {
    const command = await beginInProcess(data, 'club', env);
    const browser = newScriptedBrowser();
    const consent = await browser.submit(await browser.open(command.link));
    command.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 1, stdout: expect.stringMatching(/Nobody listens for the browser now\. Start `toolledger serve` and go on in the browser before \d\d:\d\d UTC/) as unknown });
    const serve = await startServe(data, { env });
    const last = await browser.submit(await browser.submit(consent, { answer: 'allow' }));
    expect(last.html).toContain('Signed in to club');
    expect(await serve.stop()).toMatchObject({ code: 0 });
    expect(signInRecord(data)).toEqual(signedIn);
  });

  it('Ctrl-C while the code is exchanged does not cut the exchange', async () => {
    const command = await beginInProcess(data, 'club', env);
    const { browser, page } = await upToConfirming(command.link);
    const held = authorization.holdToken();
    const last = browser.submit(page);
    await held.made;
    command.kill('SIGINT');
    held.release();
    expect(await last).toMatchObject({ status: 200, html: expect.stringContaining('Signed in to club; it offers 2 tools.') as unknown });
    await command.ended;
    expect(signInRecord(data)).toEqual(signedIn);
    await toolsWork();
  });

  it('a command that is killed leaves the sign-in to a serve on the same port', async () => {
    const command = await beginInProcess(data, 'club', env);
    const { browser, page } = await upToConfirming(command.link);
    command.kill('SIGKILL');
    await command.ended;
    const serve = await startServe(data, { env });
    expect(await browser.submit(page)).toMatchObject({ status: 200, html: expect.stringContaining('Signed in to club') as unknown });
    await serve.stop();
    expect(signInRecord(data)).toEqual(signedIn);
    await toolsWork();
  });

  it('a port that is in use is named, with the setting that chooses another', async () => {
    const other = await startLocalServer(() => undefined);
    const { port } = new URL(other.origin);
    for (const setting of ['TOOLLEDGER_PORT', 'TOOLLEDGER_OAUTH_PORT']) {
      const { code, stderr } = await inThisProcess(data, ['mcp', 'sign-in', 'club'], { env: { [setting]: port } });
      expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`Port ${port} .* is in use .* with ${setting} `))]);
    }
    expect(signInRecord(data)).toEqual([]);
    await other.stop();
  });
});

describe('a serve', () => {
  it('that is killed between start and callback is replaced by the next, and the waiting command is told', async () => {
    const first = await startServe(data, { env });
    const command = await beginInProcess(data, 'club', env);
    const browser = newScriptedBrowser();
    const consent = await browser.submit(await browser.open(command.link), { who: 'roles', roles: '42' });
    await first.stop('SIGKILL');
    expect(await command.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('goes on in the browser when `toolledger serve` runs again') as unknown });
    const second = await startServe(data, { env });
    const page = await browser.submit(consent, { answer: 'allow' });
    expect(page.html).toContain('members with one of the roles 42');
    expect(await browser.submit(page)).toMatchObject({ status: 200 });
    await second.stop();
    expect(signInRecord(data)).toEqual(signedIn);
    expect(await jsonInThisProcess(data, ['mcp', 'list'])).toMatchObject({ document: { servers: [{ audience: { roles: ['42'] } }] } });
  });

  it(
    'that is asked to stop lets a waiting command go at once',
    async () => {
      const serve = await startServe(data, { env });
      const command = await beginInProcess(data, 'club', env);
      expect(await serve.stop()).toMatchObject({ code: 0 });
      expect(await command.ended).toMatchObject({ code: 1, stdout: expect.stringContaining('Start `toolledger serve` and go on') as unknown });
    },
    // Less than a serve waits for what runs.
    25_000,
  );
});

describe('a process that is killed', () => {
  it('while the code is exchanged leaves a sign-in that the next start ends as interrupted', async () => {
    const serve = await startServe(data, { env });
    const command = await beginInProcess(data, 'club', env);
    const { browser, page } = await upToConfirming(command.link);
    const held = authorization.holdToken();
    const last = browser.submit(page).catch(() => null);
    await held.made;
    await serve.stop('SIGKILL');
    held.release();
    expect(await last).toBeNull();
    await command.ended;
    const next = await startServe(data, { env });
    expect(signInRecord(data)).toEqual([started, 'McpSignInFailed interrupted']);
    expect(secretNames(data)).toEqual(['client', 'signIn', 'url']);
    expect(await browser.submit(page)).toMatchObject({ status: 410 });
    const again = await beginInProcess(data, 'club', env);
    expect(await signInAt(again.link)).toMatchObject({ status: 200 });
    expect(await again.ended).toMatchObject({ code: 0 });
    await next.stop();
  });

  it('after tokens came and before they were on record leaves a sign-in that the next start completes', async () => {
    const command = await beginInProcess(data, 'club', env);
    const { page } = await upToConfirming(command.link, { audience: { who: 'signer' } });
    command.kill('SIGKILL');
    await command.ended;
    await changeSignIn(data, async (pending) => {
      if (pending.phase.kind !== 'redirected') throw new Error('nobody was sent to the authorization server');
      const { server: issuer, client, redirectUri, resource, phase } = pending;
      const code = new URL(page.url).searchParams.get('code') ?? '';
      const request = { server: issuer, client, redirectUri, code, verifier: phase.verifier, resource, now: Date.now() };
      const tokens = await exchangeCode(request, { fetch: (url, init) => fetch(url, init), check: async () => undefined }, new AbortController().signal);
      return { ...pending, phase: { kind: 'exchanged', audience: phase.audience, brought, tokens } };
    });
    expect(await jsonInThisProcess(data, ['mcp', 'refresh', 'club'])).toMatchObject({ code: 0, document: { tools: 2 } });
    expect(signInRecord(data)).toEqual(signedIn);
    expect(secretNames(data)).toEqual(['client', 'grant', 'signIn', 'url']);
    expect(await jsonInThisProcess(data, ['mcp', 'list'])).toMatchObject({ document: { servers: [{ audience: { person: expect.any(String) as unknown } }] } });
  });

  it('while its server was removed leaves nothing that keeps the next start from starting', async () => {
    const command = await beginInProcess(data, 'club', env);
    await upToConfirming(command.link);
    command.kill('SIGKILL');
    await command.ended;
    await changeSignIn(data, (pending) => ({ ...pending, serverId: '00000000-0000-7000-8000-000000000000', phase: { kind: 'exchanged', audience: { who: 'everyone', roles: [] }, brought, tokens: { accessToken: 'a', refreshToken: null, expiresAt: null, scopes: null } } }));
    expect(await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"1d6"}'])).toMatchObject({ code: 0 });
    expect(secretNames(data)).not.toContain('grant');
  });
});
