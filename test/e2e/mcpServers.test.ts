import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { besideServe, inThisProcess } from '../support/cli/inProcess.js';
import { listing, plainTool, reply, replyResult, startHostileMcpServer, type Behaviour, type HostileMcpServer } from '../support/hostileMcpServer.js';

const nextDirectory = dataDirectories();
let server: HostileMcpServer;
let other: HostileMcpServer;

beforeAll(async () => {
  [server, other] = await Promise.all([startHostileMcpServer(), startHostileMcpServer()]);
});
afterAll(async () => {
  await Promise.all([server.stop(), other.stop()]);
});

/** Lets in only who has this token. */
const guarded = (token: string, then: Behaviour = () => false): Behaviour => (message, response) =>
  message.headers.authorization === `Bearer ${token}` ? then(message, response) : reply(response, { error: 'who are you?' }, 401);

describe('a server that wants to know who asks', () => {
  const data = nextDirectory();
  const run = besideServe(data);

  it('is registered without a token, waits for a sign-in, and is not dialled', async () => {
    server.behave(guarded('letmein'));
    const { code, document } = await run.json('mcp', 'add', server.url, '--name', 'club');
    expect(code).toBe(0);
    expect(document).toMatchObject({ name: 'club', tools: [], needsSignIn: true });
    expect((await run.json('mcp', 'list')).document).toMatchObject({
      servers: [{ name: 'club', state: 'parked', credential: 'none', toolNames: null, standing: expect.stringContaining('wants a sign-in or a token') }],
    });
    const before = server.seen.length;
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'refused' });
    expect(server.seen.length).toBe(before);
  });

  it('keeps waiting when the token given is not the right one: nothing of it is stored', async () => {
    const { code, stdout } = await inThisProcess(data, ['mcp', 'set-token', 'club', '--token-stdin', '--json'], { input: 'wrong\n' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'connection_failed', status: 'connection-failed', class: 'unauthorized' } });
    expect(stdout).not.toContain('wrong');
    expect((await run.json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'parked', credential: 'none' }] });
  });

  it('works with the right one at once', async () => {
    const { code, stdout } = await inThisProcess(data, ['mcp', 'set-token', 'club', '--token-stdin'], { input: 'letmein\n' });
    expect(stdout).toMatch(/^plain\s+Does nothing\.$/m);
    expect(code).toBe(0);
    expect((await run.json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'enabled', credential: 'token', standing: null, toolNames: ['plain'] }] });
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'succeeded' });
  });

  it('is not registered at all when a token was given that it does not take', async () => {
    const { code, stdout } = await inThisProcess(data, ['mcp', 'add', server.url, '--name', 'second', '--token-stdin', '--json'], { input: 'wrong' });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'connection_failed', class: 'unauthorized' } });
    expect((await run.json('mcp', 'list')).document.servers).toHaveLength(1);
  });

  it('goes without a token when told so, and then waits again', async () => {
    expect((await run.json('mcp', 'set-token', 'club', '--none')).document).toMatchObject({ needsSignIn: true });
    expect((await run.json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'parked', credential: 'none' }] });
  });

  it.each([['mcp', 'set-token', 'club'], ['mcp', 'add', 'http://127.0.0.1:9/mcp', '--name', 'third']])('takes a blank token on standard input for a mistake: %s %s', async (...args) => {
    const before = (await run.json('mcp', 'list')).document;
    expect(await inThisProcess(data, [...args, '--token-stdin'], { input: '\n' })).toMatchObject({ code: 2, stderr: expect.stringContaining('No token came') });
    expect((await run.json('mcp', 'list')).document).toEqual(before);
  });

  it('says how a token is given when none of the ways is named', async () => {
    expect(await run('mcp', 'set-token', 'club')).toMatchObject({ code: 2, stderr: expect.stringContaining('--token-prompt') });
  });
});

describe('a server that goes down', () => {
  const data = nextDirectory();
  const run = besideServe(data);

  it('is left alone after a call could not reach it; the list says since when, why, until when and what to do', async () => {
    server.behave(() => false);
    await run('mcp', 'add', server.url, '--name', 'shop');
    server.behave((_message, response) => reply(response, 'down', 503));
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'refused', error: { code: 'server_server_error' } });
    const { stdout } = await run('mcp', 'list');
    expect(stdout).toMatch(/^shop\s+http:\S+\s+quarantined/m);
    expect(stdout).toMatch(/^shop: It failed at \S+ \(server_error\)\. It is left alone until \S+ To try now: toolledger mcp refresh shop$/m);
    const before = server.seen.length;
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'refused', error: { code: 'server_quarantined' } });
    expect(server.seen.length).toBe(before);
    expect((await run.json('tools', 'list', '--explain')).document.tools).toContainEqual(
      expect.objectContaining({ name: 'plain', available: false, reasons: [expect.objectContaining({ code: 'server_quarantined' })] }),
    );
  });

  it('is tried when an admin says so; failing then does not count, and working ends it', async () => {
    expect(await run('mcp', 'refresh', 'shop')).toMatchObject({ code: 1, stderr: expect.stringContaining('server_error') });
    expect((await run.json('mcp', 'list')).document.servers[0]?.standing).toMatch(/^It failed at /);
    server.behave(() => false);
    expect(await run('mcp', 'refresh', 'shop')).toMatchObject({ code: 0 });
    expect((await run.json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'enabled', standing: null }] });
  });
});

describe('who may use what of a server', () => {
  const data = nextDirectory();
  const run = besideServe(data);

  beforeAll(async () => {
    server.behave(listing(plainTool, { ...plainTool, name: 'dotted.name' }));
    await run('mcp', 'add', server.url, '--name', 'files');
  });

  it('is switched by tool, by either of its names', async () => {
    expect(await run('mcp', 'tool', 'off', 'files', 'dotted.name')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Tool dotted_name_\w+ of server files is off\.$/m) });
    const [, dotted = ''] = (await run.json('mcp', 'list')).document.servers[0]?.toolNames ?? [];
    expect((await run.json('call', dotted)).document).toMatchObject({ status: 'refused', error: { code: 'server_tool_switched_off' } });
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'succeeded' });
    expect((await run.json('mcp', 'tool', 'on', 'files', dotted)).document).toEqual({ tool: dotted, changed: true });
    expect((await run.json('call', dotted)).document).toMatchObject({ status: 'succeeded' });
  });

  it('names the tools there are when one is asked for that is not', async () => {
    expect(await run('mcp', 'tool', 'off', 'files', 'nope')).toMatchObject({ code: 1, stderr: expect.stringContaining('It offers: plain, dotted_name') });
  });

  it('is for members with a role in a channel, when an admin says so, and for everybody again', async () => {
    await run('mcp', 'audience', 'files', '--role', '11', '12', '--channel', '21');
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'refused', error: { code: 'not_in_audience' } });
    expect((await run.json('call', 'plain', '{}', '--role', '12', '--channel', '21')).document).toMatchObject({ status: 'succeeded' });
    expect((await run('mcp', 'list')).stdout).toMatch(/^files: only for members with one of the roles 11, 12$/m);
    await run('mcp', 'audience', 'files');
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'succeeded' });
    expect(await run('mcp', 'audience', 'files', '--role', 'admins')).toMatchObject({ code: 2, stderr: expect.stringContaining('an id is 1 to 20 digits') });
  });

  it('is nobody while two servers offer the same name, and the list says who does', async () => {
    other.behave(listing(plainTool));
    await run('mcp', 'add', other.url, '--name', 'copies');
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'refused', error: { code: 'name_collision' } });
    expect((await run.json('mcp', 'list')).document).toMatchObject({
      servers: [{ name: 'files', hidden: [{ name: 'plain', code: 'name_collision' }] }, { name: 'copies', hidden: [{ name: 'plain', code: 'name_collision' }] }],
    });
    await run('mcp', 'tool', 'off', 'copies', 'plain');
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'succeeded' });
    expect((await run.json('mcp', 'list')).document).toMatchObject({ servers: [{ hidden: [] }, { hidden: [] }] });
  });
});

describe('what is refused before anything is dialled', () => {
  const data = nextDirectory();
  const run = besideServe(data);

  beforeAll(async () => {
    server.behave(() => false);
    await run('mcp', 'add', server.url, '--name', 'one', '--type', 'web_search');
  });

  it.each<[string, readonly string[], object]>([
    ['a name that is none, before the URL', ['nonsense', '--name', 'a_b'], { code: 'invalid_name', status: 'invalid-name' }],
    ['a second of a family, before the URL', ['nonsense', '--name', 'b', '--type', 'web_search'], { code: 'family_in_use', status: 'family-in-use' }],
    ['a URL that is none', ['nonsense', '--name', 'b'], { code: 'url_invalid', status: 'invalid-url' }],
    ['a name that is taken', ['http://127.0.0.1:9/mcp', '--name', 'ONE'], { code: 'duplicate_name', status: 'duplicate-or-write-failed' }],
    ['a guild\'s server on this machine', ['http://127.0.0.1:9/mcp', '--name', 'b', '--workspace', 'g1'], { code: 'url_https_required', status: 'invalid-url' }],
  ])('%s', async (_what, args, error) => {
    if (args.includes('g1')) await run('workspace', 'open', 'g1');
    const before = server.seen.length;
    const { document } = await run.json('mcp', 'add', ...args);
    expect(document).toMatchObject({ error });
    expect(server.seen.length).toBe(before);
  });
});

describe('a workspace that closes', () => {
  const run = besideServe(nextDirectory());

  it('lets go of its servers: a call is refused, and nothing is dialled', async () => {
    server.behave((message, response) => message.method === 'tools/call' && replyResult(response, message, { content: [] }));
    await run('mcp', 'add', server.url, '--name', 'shop');
    await run('workspace', 'close', 'local');
    const before = server.seen.length;
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'refused', error: { code: 'workspace_closed' } });
    expect(server.seen.length).toBe(before);
  });
});
