import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { jsonInThisProcess } from '../../support/cli/inProcess.js';
import { startServe } from '../../support/cli/served.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { beginSignIn, signInAt } from '../../support/oauth/signInFrom.js';
import { secretNames } from '../../support/oauth/signInTraces.js';

const newDirectory = dataDirectories();
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

it('an account that the restored ledger does not know is never used, and revoked: it was perhaps for one person only', async () => {
  const [data, elsewhere] = [newDirectory(), newDirectory()];
  const json = (...args: string[]) => jsonInThisProcess(data, args);
  await json('mcp', 'add', server.url, '--name', 'club');
  mkdirSync(elsewhere, { recursive: true });
  const backup = join(elsewhere, 'before.db');
  expect(await json('ledger', 'backup', backup)).toMatchObject({ code: 0 });

  const { link, ended } = await beginSignIn(data, ['club'], { env: { TOOLLEDGER_PORT: '0' } });
  await signInAt(link, { audience: { who: 'signer' } });
  expect(await ended).toMatchObject({ code: 0 });

  expect(await json('ledger', 'restore', backup, '--force')).toMatchObject({ code: 0 });
  const seen = server.requests.length;
  expect(await json('mcp', 'refresh', 'club')).toMatchObject({ code: 1 });
  expect(await json('call', 'whoami')).toMatchObject({ code: 1 });
  expect(server.requests.slice(seen).map(({ token }) => token).filter((token) => token !== null)).toEqual([]);
  expect((await json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'parked', account: null }] });

  const served = await startServe(data);
  await authorization.received('revocation', 2);
  while (secretNames(data).includes('grant')) await json('mcp', 'list');
  expect((await served.stop()).code).toBe(0);
});
