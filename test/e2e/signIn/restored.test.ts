import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyFileSync, mkdirSync } from 'node:fs';
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

describe('a ledger with an account that is put back elsewhere', () => {
  /** Puts it back, and keys that were backed up at some time, or none. */
  async function putBack(keysFrom: 'before the server' | 'before the sign-in' | 'after the sign-in' | null) {
    const [data, elsewhere, again] = [newDirectory(), newDirectory(), newDirectory()];
    mkdirSync(elsewhere, { recursive: true });
    const [ledger, keys] = [join(elsewhere, 'ledger.db'), join(elsewhere, 'keys.json')];
    const json = (...args: string[]) => jsonInThisProcess(data, args);
    await json('call', 'roll_dice', '--args', '{"notation":"1d6"}');
    if (keysFrom === 'before the server') await json('keys', 'backup', keys);
    await json('mcp', 'add', server.url, '--name', 'club');
    if (keysFrom === 'before the sign-in') await json('keys', 'backup', keys);
    const { link, ended } = await beginSignIn(data, ['club'], { env: { TOOLLEDGER_PORT: '0' } });
    await signInAt(link);
    expect(await ended).toMatchObject({ code: 0 });
    expect(await json('ledger', 'backup', ledger)).toMatchObject({ code: 0 });
    if (keysFrom === 'after the sign-in') await json('keys', 'backup', keys);
    mkdirSync(again, { recursive: true });
    copyFileSync(join(data, 'master.key'), join(again, 'master.key'));
    if (keysFrom !== null) expect(await jsonInThisProcess(again, ['keys', 'restore', keys])).toMatchObject({ code: 0 });
    expect(await jsonInThisProcess(again, ['ledger', 'restore', ledger])).toMatchObject({ code: 0 });
    return (...args: string[]) => jsonInThisProcess(again, args);
  }

  it('with its keys: is used with the account as before', async () => {
    const json = await putBack('after the sign-in');
    expect((await json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'enabled', standing: null, account: { lapsed: null } }] });
    expect((await json('doctor')).document).toMatchObject({ findings: expect.arrayContaining([expect.objectContaining({ check: 'MCP servers', state: 'ok' })]) });
    expect(await json('call', 'whoami')).toMatchObject({ code: 0, document: { status: 'succeeded' } });
  });

  it('alone: does not start, and once that loss is accepted misses what the keys held, and nothing is sent', async () => {
    const json = await putBack(null);
    expect(await json('mcp', 'list')).toMatchObject({ code: 3, document: { error: { code: 'keys_missing' } } });
    expect((await json('doctor')).document).toMatchObject({ findings: expect.arrayContaining([{ check: 'keys', state: 'problem', detail: expect.stringContaining('`toolledger keys restore`') }]) });
    expect(await json('ledger', 'accept-loss', '--keys')).toMatchObject({ code: 0 });
    const seen = server.requests.length;
    expect((await json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'address_missing' }] });
    expect((await json('doctor')).document).toMatchObject({ findings: expect.arrayContaining([expect.objectContaining({ check: 'MCP servers', state: 'warning' })]) });
    expect(await json('call', 'whoami')).toMatchObject({ code: 1 });
    expect(await json('mcp', 'sign-in', 'club')).toMatchObject({ code: 1, document: { error: { code: 'address_missing' } } });
    expect(server.requests).toHaveLength(seen);
  });

  it('with older keys: without the address of a server: so it is listed, explained and found by doctor, and nothing is sent', async () => {
    const json = await putBack('before the server');
    expect((await json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'address_missing', standing: expect.stringMatching(/not in the keys.+`toolledger keys restore FILE`/) }] });
    expect((await json('tools', 'list', '--explain')).document).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'whoami', available: false, reasons: [expect.objectContaining({ code: 'server_address_missing' })] })]) });
    expect((await json('doctor')).document).toMatchObject({ findings: expect.arrayContaining([{ check: 'MCP servers', state: 'warning', detail: expect.stringContaining('not in the keys: the address of club (local)') }]) });
    expect(await json('call', 'whoami')).toMatchObject({ code: 1, document: { status: 'refused', error: { code: 'server_address_missing' } } });
  });

  it('with older keys: without the tokens of an account: so it is listed and explained, before and after it was tried', async () => {
    const json = await putBack('before the sign-in');
    expect((await json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'parked', standing: expect.stringMatching(/tokens.+not in the keys.+`toolledger mcp sign-in club`/) }] });
    expect((await json('tools', 'list', '--explain')).document).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'whoami', available: false, reasons: [expect.objectContaining({ code: 'server_tokens_missing' })] })]) });
    expect((await json('doctor')).document).toMatchObject({ findings: expect.arrayContaining([{ check: 'MCP servers', state: 'warning', detail: expect.stringContaining('not in the keys: the tokens of the account at club (local)') }]) });
    expect(await json('call', 'whoami')).toMatchObject({ code: 1 });
    expect((await json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'parked', account: { lapsed: expect.stringContaining('tokens_missing') } }] });
  });
});
