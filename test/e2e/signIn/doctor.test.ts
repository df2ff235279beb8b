import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { jsonInThisProcess, serveHere } from '../../support/cli/inProcess.js';
import { freePort } from '../../support/oauth/freePort.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startLocalServer } from '../../support/oauth/servers/localServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { beginSignIn } from '../../support/oauth/signInFrom.js';

describe('what doctor says of sign-ins', () => {
  const data = dataDirectories()();
  let env: { readonly [name: string]: string };
  let authorization: AuthorizationServer;
  let server: ProtectedMcpServer;

  /** @param more settings beside those of the port */
  async function finding(more: { readonly [name: string]: string } = {}) {
    const { code, document } = await jsonInThisProcess(data, ['doctor'], { env: { ...env, ...more } });
    const { findings } = document as unknown as { readonly findings: readonly { readonly check: string; readonly state: string; readonly detail: string }[] };
    return { code, ...findings.find(({ check }) => check === 'sign-ins') };
  }

  beforeAll(async () => {
    env = { TOOLLEDGER_OAUTH_PORT: String(await freePort()) };
    authorization = await startAuthorizationServer();
    server = await startProtectedMcpServer(authorization);
  });
  afterAll(async () => {
    await server.stop();
    await authorization.stop();
  });

  it('is that nobody listens yet, in a directory that is not there', async () => {
    expect(await finding()).toMatchObject({ code: 0, state: 'ok', detail: expect.stringMatching(/^nobody listens at http:\/\/127\.0\.0\.1:\d+\/oauth\/ now; /) });
  });

  it('names the servers that wait for one', async () => {
    await jsonInThisProcess(data, ['mcp', 'add', server.url, '--name', 'club'], { env });
    expect(await finding()).toMatchObject({ code: 0, state: 'ok', detail: expect.stringContaining('. Waiting for somebody to sign in: club (local); `toolledger mcp list` says how') });
  });

  it('is that one cannot be finished that nobody waits for any more, until somebody listens', async () => {
    const { stop, ended } = await beginSignIn(data, ['club'], { env });
    expect(await finding()).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^browsers come in at http:\/\/127\.0\.0\.1:/) });
    stop();
    await ended;
    expect(await finding()).toMatchObject({ code: 0, state: 'warning', detail: expect.stringMatching(/^a sign-in waits for the browser \(club \(local\)\), and nobody listens at .+: start `toolledger serve`/) });
    const stopServe = await serveHere(data, { env });
    try {
      expect(await finding()).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^browsers come in at /) });
    } finally {
      await stopServe();
    }
  });

  it('is that a public URL leads elsewhere', async () => {
    const settings = { TOOLLEDGER_PUBLIC_URL: 'https://bot.invalid' };
    const stopServe = await serveHere(data, { env: { ...env, ...settings } });
    try {
      expect(await finding(settings)).toMatchObject({ code: 0, state: 'warning', detail: expect.stringMatching(/^TOOLLEDGER_PUBLIC_URL does not lead .+: https:\/\/bot\.invalid\/oauth\/ \(E\w+\)\. Have it passed on to http:\/\/127\.0\.0\.1:\d+\/oauth\//) });
    } finally {
      await stopServe();
    }
  });

  it.each([
    ['another program', 'something else', 'HTTP 200'],
    ['a page about toolledger', '<title>toolledger</title>', 'HTTP 200'],
    ['toolledger, asked under another name', '<title>Wrong address \u00b7 toolledger</title>', 'toolledger is asked under another name; have the proxy pass the Host header on'],
  ])('is a problem where the port is taken: %s', async (_, page, what) => {
    const taken = await startLocalServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page));
    try {
      expect(await finding({ TOOLLEDGER_OAUTH_PORT: new URL(taken.origin).port })).toMatchObject({ code: 1, state: 'problem', detail: expect.stringContaining(`another program is at ${taken.origin} (${what}), so nobody can sign in there: stop it, or choose another port with TOOLLEDGER_OAUTH_PORT`) });
    } finally {
      await taken.stop();
    }
  });
});
