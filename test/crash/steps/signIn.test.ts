import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { outputOf, startProgram, type Finished, type Surroundings } from '../../support/cli/program.js';
import { fewestKills, killAtEveryStep } from '../../support/crash/everyStep.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { beginSignIn, signInAt } from '../../support/oauth/signInFrom.js';
import { secretNames, signInRecord } from '../../support/oauth/signInTraces.js';

jest.setTimeout(3_600_000);

const root = mkdtempSync(join(tmpdir(), 'tl-sign-in-'));
const prepared = { data: join(root, 'data'), outside: join(root, 'outside') };
let authorization: AuthorizationServer;
let server: ProtectedMcpServer;

beforeAll(async () => {
  mkdirSync(prepared.outside);
  authorization = await startAuthorizationServer();
  server = await startProtectedMcpServer(authorization);
  expect(await jsonInThisProcess(prepared.data, ['mcp', 'add', server.url, '--name', 'club'])).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await server.stop();
  await authorization.stop();
  rmSync(root, { recursive: true });
});

/** Runs the command, and goes in a browser as far as it lives. */
async function withBrowser(data: string, args: readonly string[], surroundings: Surroundings): Promise<Finished> {
  const child = startProgram(data, args, surroundings);
  const ended = outputOf(child);
  let told = '';
  let isFollowed = false;
  child.stderr?.on('data', (text: string) => {
    told += text;
    const link = /^ {2}(http:\/\/\S+\/oauth\/start\/\S+)$/m.exec(told)?.[1];
    if (link === undefined || isFollowed) return;
    isFollowed = true;
    signInAt(link).catch(() => undefined);
  });
  return ended;
}

describe('a kill at any step of a sign-in', () => {
  it('leaves an account that is on record and works, or none; and one can sign in again', async () => {
    const kills = await killAtEveryStep(
      root,
      prepared,
      () => ['mcp', 'sign-in', 'club'],
      async ({ when, data }) => {
        // A start, which finishes what was left.
        expect([when, (await inThisProcess(data, ['call', 'roll_dice', '{"notation":"1d6"}'])).code]).toEqual([when, 0]);
        const isSignedIn = signInRecord(data).includes('McpSignInCompleted');
        expect([when, secretNames(data).includes('grant')]).toEqual([when, isSignedIn]);
        if (!isSignedIn) {
          const { link, ended } = await beginSignIn(data, ['club']);
          expect([when, (await signInAt(link)).status]).toEqual([when, 200]);
          expect([when, await ended]).toMatchObject([when, { code: 0 }]);
        }
        // The list may not have been seen yet.
        expect([when, await jsonInThisProcess(data, ['mcp', 'refresh', 'club'])]).toMatchObject([when, { code: 0 }]);
        expect([when, await jsonInThisProcess(data, ['call', 'whoami'])]).toMatchObject([when, { code: 0, document: { status: 'succeeded' } }]);
        expect([when, (await inThisProcess(data, ['ledger', 'verify'])).code]).toEqual([when, 0]);
      },
      {},
      withBrowser,
    );
    expect(kills).toBeGreaterThanOrEqual(fewestKills);
  });
});
