import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { jsonInThisProcess } from '../../support/cli/inProcess.js';
import { pageText } from '../../support/oauth/browser/pageText.js';
import { newScriptedBrowser } from '../../support/oauth/browser/scriptedBrowser.js';
import { freePort } from '../../support/oauth/freePort.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { beginSignIn } from '../../support/oauth/signInFrom.js';

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
