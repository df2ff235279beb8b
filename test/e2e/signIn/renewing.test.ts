import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { besideServe, inThisProcess, jsonInThisProcess, type Runner } from '../../support/cli/inProcess.js';
import { startServe } from '../../support/cli/served.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { beginSignIn, signInAt, upToConfirming } from '../../support/oauth/signInFrom.js';

jest.setTimeout(60_000);

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

/** The whole way, and what the command line says in the end. */
async function signIn(data: string, name = 'club'): Promise<unknown> {
  const { link, ended } = await beginSignIn(data, [name]);
  await signInAt(link);
  return (await ended).document;
}

/** The events about accounts, in order, as the ledger has them. */
function accountEvents(data: string): readonly { readonly type: string; readonly data: { readonly [name: string]: unknown } }[] {
  const ledger = new Database(join(data, 'ledger.db'), { readonly: true });
  try {
    const rows = ledger.prepare<[], { type: string; data: Buffer | string }>("SELECT type, data FROM events WHERE stream LIKE 'mcpSignIn-%' ORDER BY position").all();
    return rows.map((row) => ({ type: row.type, data: JSON.parse(row.data.toString()) as { readonly [name: string]: unknown } }));
  } finally {
    ledger.close();
  }
}

const revocations = (): readonly (string | null)[] => authorization.requests('revocation').map(({ parameters }) => parameters.get('token'));
/** What holds tokens: everything given out so far. */
function secretsGivenOut(): readonly string[] {
  const asked = authorization.requests('token').flatMap(({ parameters }) => [parameters.get('refresh_token'), parameters.get('code'), parameters.get('code_verifier')]);
  return [...server.tokensSeen(), ...asked.filter((secret) => secret !== null)];
}

describe('an account that is used', () => {
  const data = nextDirectory();
  const run: Runner = besideServe(data);
  const said: string[] = [];
  const tell = async (...args: string[]): Promise<void> => {
    const { stdout, stderr } = await run(...args);
    said.push(stdout, stderr);
  };

  beforeAll(async () => {
    await run('mcp', 'add', server.url, '--name', 'club');
    expect(await signIn(data)).toMatchObject({ status: 'signed_in', found: { tools: [{ name: 'whoami' }, { name: 'admin' }] } });
  });

  it('is renewed when its token has expired, and nobody notices', async () => {
    await authorization.expireAccessTokens();
    expect(await run.json('call', 'whoami')).toMatchObject({ code: 0, document: { status: 'succeeded' } });
    expect(accountEvents(data).at(-1)).toMatchObject({ type: 'McpTokenRefreshed', data: { rotated: true } });
  });

  /** Calls the tool that wants more, and looks at what is said then. */
  async function narrowed(): Promise<void> {
    const message = expect.stringMatching(/still good, but lacks scopes: “admin”\. .+`toolledger mcp sign-in club`.+`toolledger mcp tool off club admin`.+`toolledger mcp refresh club`/) as unknown;
    expect(await run.json('call', 'admin')).toMatchObject({ document: { status: 'failed', error: { code: 'needs_reauthorization', message } } });
    const waits = 'The account that was signed in is still good, but lacks scopes: “admin”. Sign in again with `toolledger mcp sign-in club`. Or do without the tool that wants them: switch it off with `toolledger mcp tool off club TOOL`, then look again with `toolledger mcp refresh club`.';
    expect(await run.json('call', 'whoami')).toMatchObject({ document: { status: 'refused', error: { code: 'server_needs_reauthorization', message: waits } } });
    expect((await run.json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'parked', account: { narrow: true, missing: ['admin'] } }] });
    const said = (await run('mcp', 'list')).stdout;
    expect(said).toContain(`club: ${waits}`);
    expect((await run.json('mcp', 'enable', 'club')).document).toMatchObject({ state: 'parked', standing: expect.stringContaining(waits) });
    expect(said).toContain('; still good, but lacks scopes: “admin”\n');
  }

  it('and is not enough for a tool goes on without that tool once it is off', async () => {
    await narrowed();
    await run('mcp', 'tool', 'off', 'club', 'admin');
    expect(await run.json('mcp', 'refresh', 'club')).toMatchObject({ code: 0 });
    expect((await run.json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'enabled', standing: null, account: { lapsed: null, narrow: false, missing: [] } }] });
    expect(await run.json('call', 'whoami')).toMatchObject({ code: 0, document: { status: 'succeeded' } });
    await run('mcp', 'tool', 'on', 'club', 'admin');
  });

  it('and is not enough for a tool waits for a sign-in, which asks for what there was and what is missing', async () => {
    await narrowed();
    for (const shown of [['mcp', 'history', 'club'], ['tools', 'list', '--explain']]) {
      expect([shown, (await run(...shown)).stdout.replace(/\s+/g, ' ')]).toEqual([shown, expect.stringContaining('still good, but lacks scopes: “admin”.')]);
    }
    await signIn(data);
    expect(authorization.requests('authorization').at(-1)?.parameters.get('scope')?.split(' ').filter((scope) => scope !== 'offline_access')).toEqual(['tools', 'admin']);
    // Whoever signs in once more loses nothing of it.
    await signIn(data);
    for (const tool of ['admin', 'whoami']) expect(await run.json('call', tool)).toMatchObject({ code: 0, document: { status: 'succeeded' } });
  });

  it('stays when its server is disabled', async () => {
    const before = revocations().length;
    await run('mcp', 'disable', 'club');
    await run('mcp', 'enable', 'club');
    expect(await run.json('call', 'whoami')).toMatchObject({ code: 0 });
    expect(revocations()).toHaveLength(before);
  });

  it('is revoked by a sign-out, and the server waits for another', async () => {
    const [before, token] = [revocations().length, server.tokensSeen().at(-1) ?? ''];
    expect(await run.json('mcp', 'sign-out', 'club')).toMatchObject({ code: 0, document: { revocation: 'revoked' } });
    expect(revocations().slice(before)).toContain(token);
    expect(await authorization.introspect(token)).toBeNull();
    expect(accountEvents(data).at(-1)).toMatchObject({ type: 'McpSignedOut', data: { reason: 'asked', revocation: 'revoked' } });
    expect(await run.json('call', 'whoami')).toMatchObject({ document: { error: { code: 'server_needs_sign_in' } } });
    expect(await run.json('mcp', 'sign-out', 'club')).toMatchObject({ code: 1, document: { error: { code: 'not_signed_in' } } });
  });

  it('that was signed out of while its server was disabled is known to be missing when it is enabled', async () => {
    await signIn(data);
    await run('mcp', 'disable', 'club');
    await run('mcp', 'sign-out', 'club');
    expect(await run.json('call', 'whoami')).toMatchObject({ document: { error: { code: 'server_disabled' } } });
    expect((await run.json('tools', 'list', '--explain')).document).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'whoami', reasons: [expect.objectContaining({ code: 'server_disabled' })] })]) });
    expect(await run.json('mcp', 'enable', 'club')).toMatchObject({ code: 0, document: { changed: true, state: 'parked', standing: expect.stringContaining('Sign in with `toolledger mcp sign-in club`') } });
    expect((await run.json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'parked' }] });
  });

  it('is revoked when a token takes its place', async () => {
    await signIn(data);
    const [before, token] = [revocations().length, server.tokensSeen().at(-1) ?? ''];
    const set = await jsonInThisProcess(data, ['mcp', 'set-token', 'club', '--token-stdin'], { input: token });
    expect(set).toMatchObject({ code: 0 });
    expect(revocations().length - before).toBe(2);
    expect(accountEvents(data).at(-1)).toMatchObject({ type: 'McpSignedOut', data: { reason: 'token_set', revocation: 'revoked' } });
  });

  it('is revoked when its server is removed, and ended also where the revocation endpoint is down', async () => {
    await signIn(data);
    authorization.intercept('revocation', (_request, response) => {
      response.writeHead(503).end();
      return true;
    });
    const before = revocations().length;
    expect(await run.json('mcp', 'remove', 'club')).toMatchObject({ code: 0 });
    authorization.intercept('revocation', null);
    expect(revocations().length - before).toBe(2);
    expect(accountEvents(data).at(-1)).toMatchObject({ type: 'McpSignedOut', data: { reason: 'removed', revocation: 'failed' } });
  });

  it('that comes when its server is gone is not kept', async () => {
    await run('mcp', 'add', server.url, '--name', 'club');
    const { link, ended } = await beginSignIn(data, ['club']);
    const { browser, page } = await upToConfirming(link);
    const held = authorization.holdToken();
    const confirming = browser.submit(page);
    await held.made;
    await run('mcp', 'remove', 'club');
    held.release();
    expect((await confirming).html).toContain('The server was removed while you signed in, so nothing was kept.');
    expect(await ended).toMatchObject({ document: { status: 'failed', reason: 'server_removed' } });
    const vault = new Database(join(data, 'keys.db'), { readonly: true });
    expect(vault.prepare("SELECT owner FROM secrets WHERE name IN ('grant', 'url', 'token')").all()).toEqual([]);
    vault.close();
    expect(accountEvents(data).at(-1)).toMatchObject({ type: 'McpSignInFailed', data: { reason: 'server_removed' } });
  });

  it('leaves nothing secret in what is said, recorded or kept in views', async () => {
    await tell('mcp', 'history', 'club');
    await tell('mcp', 'history', 'club', '--json');
    await tell('mcp', 'list', '--all');
    await tell('audit', '--json');
    const views = readdirSync(join(data, 'readmodels')).map((name) => join(data, 'readmodels', name));
    const files = [...views, ...readdirSync(data).filter((name) => /^(ledger|keys)\.db/.test(name)).map((name) => join(data, name))];
    const kept = [...said, ...files.map((file) => readFileSync(file, 'latin1'))].join('\n');
    expect(secretsGivenOut().length).toBeGreaterThan(5);
    expect(secretsGivenOut().filter((secret) => kept.includes(secret))).toEqual([]);
  });
});

describe('a process that dies between the answer of the token endpoint and the vault', () => {
  const data = nextDirectory();

  it('has lost the account: the next use finds out, and the admin is told to sign in again', async () => {
    const killed = await startServe(data);
    await inThisProcess(data, ['mcp', 'add', server.url, '--name', 'club']);
    await signIn(data);
    await authorization.expireAccessTokens();
    const held = authorization.holdToken();
    const call = jsonInThisProcess(data, ['call', 'whoami']);
    await held.made;
    await killed.stop('SIGKILL');
    held.release();
    await call;

    const next = await startServe(data);
    expect(await jsonInThisProcess(data, ['call', 'whoami'])).toMatchObject({ document: { status: 'refused', error: { code: 'server_needs_reauthorization', message: expect.stringContaining('Sign in again') } } });
    expect(accountEvents(data).at(-1)).toMatchObject({ type: 'McpReauthorizationRequired', data: { reason: 'invalid_grant', scopes: expect.arrayContaining(['tools']) } });
    expect((await inThisProcess(data, ['mcp', 'list'])).stdout).toContain('The sign-in at it is no longer valid.');
    await signIn(data);
    expect(await jsonInThisProcess(data, ['call', 'whoami'])).toMatchObject({ code: 0, document: { status: 'succeeded' } });
    expect((await inThisProcess(data, ['mcp', 'list'])).stdout).toContain('club: for everyone in the workspace');
    const { code, stderr } = await next.stop();
    expect(code).toBe(0);
    // Who watches only the log learns of it too.
    const told = stderr.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { readonly server?: string; readonly msg: string });
    expect(told.filter(({ server }) => server === 'club').map(({ msg }) => msg)).toEqual([
      'the sign-in at an MCP server is no longer valid',
      'an MCP server is parked',
      'an MCP server was signed in to',
      'an MCP server works again',
    ]);
  });

  it('stops in peace when it was told to: the renewal under way is waited for', async () => {
    const stopped = await startServe(data);
    await authorization.expireAccessTokens();
    const held = authorization.holdToken();
    const call = jsonInThisProcess(data, ['call', 'whoami']);
    await held.made;
    const stopping = stopped.stop();
    held.release();
    expect(await stopping).toMatchObject({ code: 0 });
    await call;
    const next = await startServe(data);
    expect(await jsonInThisProcess(data, ['call', 'whoami'])).toMatchObject({ code: 0, document: { status: 'succeeded' } });
    expect(await next.stop()).toMatchObject({ code: 0 });
  });
});
