import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { jsonInThisProcess } from '../../support/cli/inProcess.js';
import { startServe, type Served } from '../../support/cli/served.js';
import { pageText } from '../../support/oauth/browser/pageText.js';
import { newScriptedBrowser } from '../../support/oauth/browser/scriptedBrowser.js';
import { freePort } from '../../support/oauth/freePort.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { beginSignIn, signInAt, upToConfirming } from '../../support/oauth/signInFrom.js';
import { signInRecord } from '../../support/oauth/signInTraces.js';

const data = dataDirectories()();
const guild = ['--workspace', 'g42'];
let authorization: AuthorizationServer;
let server: ProtectedMcpServer;
let port: string;
const env = (...listed: string[]) => ({ TOOLLEDGER_PORT: port, MCP_ALLOWED_LOCAL_ORIGINS: listed.map((url) => new URL(url).origin).join(',') });

beforeAll(async () => {
  authorization = await startAuthorizationServer();
  server = await startProtectedMcpServer(authorization);
  port = String(await freePort());
});
afterAll(async () => {
  await server.stop();
  await authorization.stop();
});

describe('a sign-in for a guild at a server that is listed as local', () => {
  it('also needs the authorization server listed', async () => {
    expect(await jsonInThisProcess(data, ['workspace', 'open', 'g42'])).toMatchObject({ code: 0 });
    expect(await jsonInThisProcess(data, ['mcp', 'add', server.url, '--name', 'club', ...guild], { env: env(server.url) })).toMatchObject({ code: 0 });
    expect(await jsonInThisProcess(data, ['mcp', 'sign-in', 'club', ...guild], { env: env(server.url) })).toMatchObject({ code: 1, document: { error: { code: 'blocked_address' } } });
  });

  it('tells the operator, who is no member, that nobody can use the tools with “Only me”', async () => {
    const { link, ended, stop } = await beginSignIn(data, ['club', ...guild], { env: env(server.url, authorization.issuer) });
    const text = pageText((await newScriptedBrowser().open(link)).html);
    expect(text).toContain('No member of the guild can use the tools then: the operator of this machine is not one.');
    expect(text).not.toContain('Nobody in the workspace');
    stop();
    await ended;
  });
});

describe('a workspace that is closed', () => {
  const around = () => ({ env: env(server.url, authorization.issuer) });
  const run = async (...args: string[]) => jsonInThisProcess(data, [...args, ...guild], around());
  const closed = expect.objectContaining({ code: 'workspace_closed' }) as unknown;
  let serve: Served;
  beforeAll(async () => {
    serve = await startServe(data, around());
    const { link, ended } = await beginSignIn(data, ['club', ...guild], around());
    expect(await signInAt(link)).toMatchObject({ status: 200 });
    expect(await ended).toMatchObject({ code: 0 });
  });
  afterAll(() => serve.stop());
  beforeEach(async () => {
    await jsonInThisProcess(data, ['workspace', 'open', 'g42'], around());
  });

  it('ends the sign-ins under way there: who waits is told, the pages say so, and nothing is exchanged', async () => {
    const { link, ended } = await beginSignIn(data, ['club', ...guild], around());
    const { browser, page } = await upToConfirming(link);
    const asked = authorization.requests('token').length;
    expect(await jsonInThisProcess(data, ['workspace', 'close', 'g42'], around())).toMatchObject({ code: 0 });
    expect(await ended).toMatchObject({ code: 1, document: { status: 'failed', reason: 'workspace_closed' } });
    expect(signInRecord(data).at(-1)).toBe('McpSignInFailed workspace_closed');
    expect(authorization.requests('token')).toHaveLength(asked);
    for (const shown of [await browser.open(page.url), await browser.open(link), await browser.submit(page)]) {
      expect([shown.status, pageText(shown.html)]).toEqual([410, expect.stringContaining('its workspace was closed')]);
    }
    expect(authorization.requests('token')).toHaveLength(asked);
  });

  it('has nothing dialled for it, and no sign-in begun', async () => {
    await jsonInThisProcess(data, ['workspace', 'close', 'g42'], around());
    const before = [server.requests.length, server.metadataRequests.length, authorization.requests('token').length];
    for (const args of [['mcp', 'sign-in', 'club'], ['mcp', 'refresh', 'club'], ['mcp', 'set-token', 'club', '--none'], ['mcp', 'enable', 'club'], ['mcp', 'add', server.url, '--name', 'two']]) {
      expect([args, await run(...args)]).toEqual([args, expect.objectContaining({ code: 1, document: { error: closed } })]);
    }
    expect([server.requests.length, server.metadataRequests.length, authorization.requests('token').length]).toEqual(before);
    expect(await run('mcp', 'list')).toMatchObject({ document: { servers: [{ name: 'club', credential: 'oauth' }] } });
  });

  it('still shows and takes away what it has', async () => {
    await jsonInThisProcess(data, ['workspace', 'close', 'g42'], around());
    expect(await run('mcp', 'list')).toMatchObject({ code: 0, document: { servers: [{ name: 'club' }] } });
    expect(await run('mcp', 'history', 'club')).toMatchObject({ code: 0 });
    expect(await run('mcp', 'disable', 'club')).toMatchObject({ code: 0 });
    expect(await run('mcp', 'sign-out', 'club')).toMatchObject({ code: 0, document: { revocation: 'revoked' } });
    expect(await run('mcp', 'remove', 'club')).toMatchObject({ code: 0 });
  });
});
