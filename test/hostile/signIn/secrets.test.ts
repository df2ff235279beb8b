import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { inThisProcess, jsonInThisProcess, serveHere } from '../../support/cli/inProcess.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { newScriptedBrowser } from '../../support/oauth/browser/scriptedBrowser.js';
import { beginSignIn, upToConfirming } from '../../support/oauth/signInFrom.js';
import { readGrant, readSignIn } from '../../support/oauth/signInTraces.js';

const data = dataDirectories()();
const env = { LOG_LEVEL: 'debug' };
let authorization: AuthorizationServer;
let server: ProtectedMcpServer;
let stop: () => Promise<unknown>;
let logged = '';
/** What nothing may hold but the vault; by what it is. */
const planted = new Map<string, string>();

beforeAll(async () => {
  authorization = await startAuthorizationServer();
  server = await startProtectedMcpServer(authorization);
  stop = await serveHere(data, { env, onTold: (stderr) => (logged = stderr) });
  await jsonInThisProcess(data, ['mcp', 'add', server.url, '--name', 'club'], { env });
});
afterAll(async () => {
  await server.stop();
  await authorization.stop();
});

/** Begins, goes as far as asked, and keeps everything secret that it meets. */
async function begin(what: string, ...args: string[]): Promise<{ readonly begun: Awaited<ReturnType<typeof beginSignIn>>; readonly confirm: Awaited<ReturnType<typeof upToConfirming>> }> {
  const begun = await beginSignIn(data, ['club', ...args], { env, ...(args.includes('--client-secret-stdin') && { input: planted.get('client secret') ?? '' }) });
  const confirm = await upToConfirming(begun.link);
  const { secrets, phase } = await readSignIn(data);
  const { searchParams } = new URL(confirm.page.url);
  const known = { ...secrets, cookie: phase.kind === 'redirected' ? phase.cookie : '', verifier: phase.kind === 'redirected' ? phase.verifier : '', code: searchParams.get('code') ?? '' };
  for (const [name, value] of Object.entries(known)) planted.set(`${name} of ${what}`, value);
  return { begun, confirm };
}

describe('what a sign-in keeps secret', () => {
  it('is there while sign-ins succeed, fail and are attacked', async () => {
    planted.set('client secret', 'planted-client-secret-0123456789');
    await authorization.addClient({
      client_id: 'by-hand', client_secret: planted.get('client secret') ?? '', token_endpoint_auth_method: 'client_secret_basic', application_type: 'native',
      redirect_uris: [await redirectUri()], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'],
    });
    const good = await begin('the good one', '--client-id', 'by-hand', '--client-secret-stdin');
    await good.confirm.browser.submit(good.confirm.page);
    expect(await good.begun.ended).toMatchObject({ code: 0 });
    const { accessToken, refreshToken } = (await readGrant(data)).tokens;
    planted.set('access token', accessToken).set('refresh token', refreshToken ?? '');

    const bad = await begin('one that is refused');
    authorization.intercept('token', (request, response) => {
      // A server that repeats what it was sent, in words and in the error itself.
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: 'invalid_grant', error_description: `no: ${request.body.toString()} ${request.headers.authorization ?? ''}` }));
      return true;
    });
    await bad.confirm.browser.submit(bad.confirm.page);
    expect(await bad.begun.ended).toMatchObject({ code: 1, document: { reason: 'invalid_grant' } });
    authorization.intercept('token', null);

    const attacked = await begin('one that is attacked');
    const thief = newScriptedBrowser();
    await thief.open(attacked.begun.link);
    await thief.open(attacked.confirm.page.url);
    await fetch(attacked.confirm.page.url, { method: 'POST', headers: { origin: 'https://evil.example' }, body: new URL(attacked.confirm.page.url).searchParams });
    await fetch(`${attacked.confirm.page.url}&state=${'x'.repeat(9_000)}`);
    attacked.begun.stop();
    await attacked.begun.ended;

    await jsonInThisProcess(data, ['call', 'whoami'], { env });
    await authorization.expireAccessTokens();
    await jsonInThisProcess(data, ['call', 'whoami'], { env });
    const renewed = (await readGrant(data)).tokens;
    expect(renewed.accessToken).not.toBe(accessToken);
    planted.set('renewed access token', renewed.accessToken).set('renewed refresh token', renewed.refreshToken ?? '');
    expect([...planted].filter(([, value]) => value.length < 20)).toEqual([]);
  });

  it('is in no line of the log, at its most talkative', () => expect(logged === '' ? ['no log'] : foundIn(logged)).toEqual([]));

  it('is in no answer about what happened', async () => {
    for (const args of [['mcp', 'history', 'club', '--json'], ['mcp', 'list', '--json'], ['audit', 'search', '--json']]) {
      const { stdout, stderr } = await inThisProcess(data, args, { env });
      expect([args, foundIn(stdout + stderr)]).toEqual([args, []]);
    }
  });

  it('is in no file of the data directory', async () => {
    // The log that SQLite writes ahead is part of it.
    expect(filesWithSecrets()).toEqual([]);
    await stop();
    expect(filesWithSecrets()).toEqual([]);
    expect(foundIn(logged)).toEqual([]);
  });
});

function foundIn(written: string): readonly string[] {
  return [...planted].filter(([, value]) => [value, encodeURIComponent(value), Buffer.from(value).toString('base64').replace(/=+$/, '')].some((spelled) => written.includes(spelled))).map(([what]) => what);
}

function filesWithSecrets(): readonly string[] {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ parentPath, name }) => foundIn(readFileSync(join(parentPath, name), 'latin1')).map((what) => `${what} in ${name}`));
}

async function redirectUri(): Promise<string> {
  const { link, stop: stopWaiting, ended } = await beginSignIn(data, ['club'], { env });
  stopWaiting();
  await ended;
  return `${new URL(link).origin}/oauth/callback`;
}
