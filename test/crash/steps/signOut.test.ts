import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { fewestKills, killAtEveryStep } from '../../support/crash/everyStep.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { beginSignIn, signInAt } from '../../support/oauth/signInFrom.js';

jest.setTimeout(3_600_000);

const root = mkdtempSync(join(tmpdir(), 'tl-sign-out-'));
const prepared = { data: join(root, 'data'), outside: join(root, 'outside') };
let authorization: AuthorizationServer;
let server: ProtectedMcpServer;
let pasted: string;

/** The whole way, and only one person may use the tools then. */
async function signIn(data: string): Promise<void> {
  const { link, ended } = await beginSignIn(data, ['club']);
  expect((await signInAt(link, { audience: { who: 'signer' } })).status).toBe(200);
  expect(await ended).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  mkdirSync(prepared.outside);
  authorization = await startAuthorizationServer();
  server = await startProtectedMcpServer(authorization);
  const helper = join(root, 'helper');
  for (const data of [helper, prepared.data]) {
    expect(await jsonInThisProcess(data, ['mcp', 'add', server.url, '--name', 'club'])).toMatchObject({ code: 0 });
    await signIn(data);
    if (data === helper) pasted = server.tokensSeen().at(-1) ?? '';
  }
});
afterAll(async () => {
  await server.stop();
  await authorization.stop();
  rmSync(root, { recursive: true });
});

/** What `mcp list` says of the server, and that it is one story: an account, a token or nothing, and for whom. */
async function standing(when: string, data: string): Promise<string> {
  const { document } = await jsonInThisProcess(data, ['mcp', 'list']);
  const [club] = document['servers'] as unknown as [{ readonly credential: string; readonly account: unknown; readonly audience: { readonly person: string | null } }];
  const isSignedIn = club.credential === 'oauth';
  expect([when, club.account !== null, club.audience.person !== null]).toEqual([when, isSignedIn, isSignedIn]);
  expect([when, (await inThisProcess(data, ['ledger', 'verify'])).code]).toEqual([when, 0]);
  return club.credential;
}

describe('a kill at any step', () => {
  it('of a sign-out leaves the account as it was, or none; and one can sign in again', async () => {
    const kills = await killAtEveryStep(root, prepared, () => ['mcp', 'sign-out', 'club'], async ({ when, data }) => {
      const credential = await standing(when, data);
      expect(['none', 'oauth']).toContain(credential);
      if (credential === 'none') expect([when, await jsonInThisProcess(data, ['call', 'whoami'])]).toMatchObject([when, { document: { error: { code: 'server_needs_sign_in' } } }]);
      await signIn(data);
      expect([when, await standing(when, data)]).toEqual([when, 'oauth']);
    });
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });

  it('of a token that takes the place of the account leaves the one or the other, or none; and it can be set again', async () => {
    const set = ['mcp', 'set-token', 'club', '--token-stdin'];
    const kills = await killAtEveryStep(root, prepared, () => set, async ({ when, data }) => {
      await standing(when, data);
      expect([when, await jsonInThisProcess(data, set, { input: pasted })]).toMatchObject([when, { code: 0 }]);
      expect([when, await standing(when, data)]).toEqual([when, 'token']);
      expect([when, await jsonInThisProcess(data, ['call', 'whoami'])]).toMatchObject([when, { code: 0 }]);
    }, { input: pasted });
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });
});
