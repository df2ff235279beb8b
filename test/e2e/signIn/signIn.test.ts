import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { besideServe } from '../../support/cli/inProcess.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { beginSignIn, upToConfirming } from '../../support/oauth/signInFrom.js';

const nextDirectory = dataDirectories();
let authorization: AuthorizationServer;
let server: ProtectedMcpServer;

beforeAll(async () => {
  authorization = await startAuthorizationServer();
  server = await startProtectedMcpServer(authorization);
});
afterAll(async () => {
  await server.stop();
  await authorization.stop();
});

describe('an admin signs in to a server', () => {
  const data = nextDirectory();
  const run = besideServe(data);

  it('which was added without a token and waits for it', async () => {
    expect(await run.json('mcp', 'add', server.url, '--name', 'club')).toMatchObject({ code: 0, document: { needsSignIn: true } });
  });

  it('in the browser: our page, the authorization server\u2019s, and ours again', async () => {
    const { link, ended } = await beginSignIn(data, ['club']);
    const { browser, page } = await upToConfirming(link);
    expect(page.html).toContain('club');
    const last = await browser.submit(page);
    expect(last.html).toContain('Signed in to club; it offers 2 tools.');
    expect(await ended).toMatchObject({ code: 0, document: { status: 'signed_in', found: { tools: [{ name: 'whoami' }, { name: 'admin' }] } } });
  });

  it('and its tools work', async () => {
    expect(await run.json('call', 'whoami')).toMatchObject({ code: 0, document: { status: 'succeeded' } });
  });
});
