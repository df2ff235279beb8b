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
    const asText = await run('mcp', 'add', server.url, '--name', 'lounge');
    expect(asText.stdout).toMatch(/To give it a token: toolledger mcp set-token lounge --token-prompt\n[^]*\nServer lounge is registered\. Sign in: toolledger mcp sign-in lounge\n$/);
    await run('mcp', 'remove', 'lounge');
    expect((await run.json('mcp', 'list')).document).toMatchObject({
      servers: [{ name: 'club', state: 'parked', credential: 'none', toolNames: null, standing: expect.stringContaining('wants a sign-in or a token') }],
    });
    const before = server.seen.length;
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'refused' });
    expect(server.seen.length).toBe(before);
  });

  it('is enabled all the same; enabling it again says that it waits, and what to do', async () => {
    const { code, stdout } = await run('mcp', 'enable', 'club');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Server club is enabled already, and parked\. It wants a sign-in or a token, and has none\. Sign in with `toolledger mcp sign-in club`, or give it a token with `toolledger mcp set-token club --token-prompt`\. .* To try now: toolledger mcp refresh club$/m);
    expect((await run.json('mcp', 'enable', 'club')).document).toMatchObject({ changed: false, state: 'parked', standing: expect.any(String) });
  });

  it.each([['mcp', 'set-token', 'club'], ['mcp', 'add', 'http://127.0.0.1:9/mcp', '--name', 'third']])('takes a token that is none for a mistake, and does not show it: %s %s', async (...args) => {
    const before = server.seen.length;
    const { code, stdout } = await inThisProcess(data, [...args, '--token-stdin', '--json'], { input: 'Bearer abc\n' });
    const problem = 'token: it begins with the word "Bearer", which is to be left out. Nothing was sent; copy the token again, alone: a token is 1 to 500 visible ASCII characters';
    expect([code, JSON.parse(stdout)]).toEqual([2, { error: { code: 'invalid_input', message: `Bad input: ${problem}.`, problems: [problem] } }]);
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
    expect(await run('mcp', 'refresh', 'shop')).toMatchObject({ code: 0, stdout: expect.stringContaining('It was kept out of use, and is used again.\nIts tools are the same as when it was last looked at.') });
    expect((await run('mcp', 'refresh', 'shop')).stdout).not.toContain('kept out of use');
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

  it('is for members with a role in a channel, when an admin says so, and for everyone again when that is said, but not by a question', async () => {
    await run('mcp', 'audience', 'files', '--role', '11', '12', '--channel', '21');
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'refused', error: { code: 'not_in_audience' } });
    expect((await run.json('call', 'plain', '{}', '--role', '12', '--channel', '21')).document).toMatchObject({ status: 'succeeded' });
    const { stdout } = await run('mcp', 'audience', 'files', '--channel', '21', '--role', '11', '12');
    expect(stdout).toContain('\nWarning: In the workspace local nobody has roles and nothing happens in channels, but for what `toolledger call --role --channel` says: all other calls of this server are refused now.\n');
    expect((await run('mcp', 'list')).stdout).toMatch(/^files: only for members with one of the roles 11, 12$/m);
    const audience = { roles: ['11', '12'], channels: ['21'], person: null };
    expect((await run.json('mcp', 'audience', 'files')).document).toMatchObject({ changed: false, audience });
    expect((await run('mcp', 'audience', 'files')).stdout).toContain('Server files is for members with one of the roles 11, 12, in the channels 21.\n');
    expect(await run('mcp', 'audience', 'files', '--everyone', '--role', '11')).toMatchObject({ code: 2, stderr: expect.stringContaining('--everyone') });
    expect(await run('mcp', 'audience', 'files', '--everywhere', '--channel', '21')).toMatchObject({ code: 2, stderr: expect.stringContaining('--everywhere') });
    expect((await run.json('mcp', 'audience', 'files', '--channel', '22')).document).toMatchObject({ changed: true, audience: { ...audience, channels: ['22'] } });
    expect((await run.json('mcp', 'audience', 'files', '--everyone')).document).toMatchObject({ changed: true, audience: { roles: null, channels: ['22'], person: null } });
    expect((await run.json('mcp', 'audience', 'files', '--everywhere')).document).toEqual({ operator: expect.any(String), changed: true, audience: { roles: null, channels: null, person: null }, warning: null });
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
    other.behave((_message, response) => reply(response, '', 401));
    await run('mcp', 'refresh', 'copies');
    const collision = 'Server copies (parked: needs_sign_in; its names stay taken) offers a tool of this name too, so none of them is used. Keep one: `toolledger mcp tool off copies plain`, or for the whole server `toolledger mcp disable copies`.';
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'refused', error: { code: 'name_collision', message: collision } });
    expect((await run('mcp', 'list')).stdout).toContain(`Hidden: plain of files: name_collision: ${collision}\n`);
    expect((await run.json('tools', 'list', '--explain')).document.tools).toContainEqual(expect.objectContaining({ name: 'plain', from: 'files', reasons: [{ code: 'name_collision', text: collision }] }));
    await run('mcp', 'tool', 'off', 'copies', 'plain');
    expect((await run.json('call', 'plain')).document).toMatchObject({ status: 'succeeded' });
    expect((await run.json('mcp', 'list')).document).toMatchObject({ servers: [{ hidden: [] }, { hidden: [] }] });
  });
});

describe('what somebody who adds a server is told', () => {
  const run = besideServe(nextDirectory());
  const says = (instructions: string, ...tools: readonly object[]): Behaviour => (message, response) =>
    message.method === 'initialize'
      ? replyResult(response, message, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' }, instructions })
      : listing(...tools)(message, response);

  it('names the tools nobody can call, what the server says of its use, what became of the name, and who has the URL already', async () => {
    server.behave(says('Ask nicely.\u001b[2J', plainTool, { ...plainTool, name: 'roll_dice' }, { ...plainTool, name: 'far', inputSchema: { type: 'object', properties: { a: { $ref: 'https://x.example/a.json' } } } }));
    const first = await run('mcp', 'add', server.url, '--name', ' my  shop ');
    expect(first.stdout).toContain('Left out: far: its schema takes in a part from elsewhere (`$ref`), and nothing is ever fetched for a schema.\n');
    expect(first.stdout).toContain('Hidden: roll_dice of my-shop: reserved_name: The name belongs to a built-in tool, so the tool of this server is hidden.\n');
    expect(first.stdout).toContain('What the server says of its use (for you to read; models are never told):\n  Ask nicely.[2J\n');
    expect(first.stdout).toContain('The name " my  shop " was made my-shop: names have no white space.\n');
    expect(first.stdout).not.toContain('Warning');

    const second = await run('mcp', 'add', server.url, '--name', 'twin');
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toMatch(/^Warning: the same URL is registered as my-shop already\. The tools of my-shop and twin are hidden now, because all have the same names\. To undo it: toolledger mcp remove twin\n\ntool /);
    expect(second.stdout).toMatch(/^Hidden: plain of twin: name_collision: Server my-shop offers a tool of this name too/m);
    expect(second.stdout).not.toContain('was made');
    await run('mcp', 'remove', 'twin');
    expect((await run.json('mcp', 'add', `${server.url.replace('http:', 'HTTP:')}/`, '--name', 'slash')).document).toMatchObject({ sameUrl: ['my-shop'] });
    expect((await run('mcp', 'list')).stdout).toMatch(/^my-shop +http:\S+ \(\u2026[0-9a-f]{6}\) .*\nslash +http:\S+ \(\u2026[0-9a-f]{6}\) /m);
    await run('mcp', 'remove', 'slash');
    expect((await run('mcp', 'list')).stdout).toMatch(/^my-shop +http:\S+ +enabled/m);
    expect((await run.json('mcp', 'add', `${server.url}?key=1`, '--name', 'twin')).document).toMatchObject({ sameUrl: [], hidden: [{ name: 'plain', code: 'name_collision' }, { name: 'roll_dice' }], instructions: 'Ask nicely.[2J' });
    expect((await run('mcp', 'list')).stdout).toMatch(/^my-shop .*\(2 hidden\) plain, roll_dice$/m);
  });

  it('says of a list that goes in a circle that it was not read on', async () => {
    other.behave((message, response) => message.method === 'tools/list' && replyResult(response, message, { tools: [plainTool], nextCursor: 'again' }));
    const { stdout } = await run('mcp', 'add', other.url, '--name', 'circle');
    expect(stdout).toContain('\nThe list of the server goes in a circle: a page, or what leads to the next one, came a second time. Reading stopped there; what else it may list is left out.\n');
  });

  it('says what to do when the server itself failed', async () => {
    other.behave((_message, response) => reply(response, '', 500));
    expect((await run.json('mcp', 'add', other.url, '--name', 'broken')).document).toMatchObject({
      error: { class: 'server_error', message: expect.stringContaining('It answered HTTP 500. The failure is the server\u2019s own: look at its log or ask whoever runs it, and try again. Nothing was stored.') },
    });
  });

  it('says how long a server asks to wait, and how long that is kept to', async () => {
    other.behave((_message, response) => reply(response, '', 429, { 'retry-after': '172800' }));
    expect((await run.json('mcp', 'add', other.url, '--name', 'busy')).document).toMatchObject({
      error: {
        code: 'connection_failed',
        class: 'rate_limited',
        retryAfterMs: 86_400_000,
        message: 'No usable MCP server (rate_limited): It answered HTTP 429. It asks to wait 2d before the next try; this program keeps to at most 1d. Give the command again later. Nothing was stored.',
      },
    });
  });
});

describe('a workspace that was never opened', () => {
  const run = besideServe(nextDirectory());

  it.each([
    ['mcp', 'list'],
    ['mcp', 'policy'],
    ['mcp', 'history', 'shop'],
    ['mcp', 'what-if', 'shop'],
    ['tools', 'list'],
    ['tools', 'list', '--explain'],
    ['tools', 'list', '--as-of', '1d'],
    ['audit', 'export', '--format', 'jsonl'],
  ])('is not known, rather than empty: %s %s', async (...args) => {
    expect(await run.json(...args, '--workspace', 'g404')).toMatchObject({
      code: 1,
      document: { error: { code: 'workspace_unknown', workspace: 'g404', message: 'No workspace g404 was ever opened here; `toolledger workspace list` lists those there are, `toolledger workspace open g404` opens it.' } },
    });
  });

  it('is told beside a search that finds nothing, until a call was refused in it', async () => {
    const told = 'The workspace of --workspace was never opened here; `toolledger workspace list` lists those there are.';
    expect((await run('audit', 'search', '--workspace', 'g404')).stdout).toBe(`No calls match.\n${told}\n`);
    expect(await run('audit', 'search', '--workspace', 'g404', '--count')).toMatchObject({ stdout: '0\n', stderr: `${told}\n` });
    expect((await run('audit', 'search', '--workspace', 'local')).stdout).toBe('No calls match.\n');
    await run('call', 'roll_dice', '{"notation":"d6"}', '--workspace', 'g404');
    expect((await run.json('audit', 'search', '--workspace', 'g404')).document).toMatchObject({ workspaceKnown: true });
    expect(await run('audit', 'export', '--format', 'jsonl', '--workspace', 'g404')).toMatchObject({ code: 0, stdout: expect.stringContaining('ToolCallRefused') });
    expect((await run('audit', 'search', '--workspace', 'g404', '--outcome', 'succeeded')).stdout).toBe('No calls match.\n');
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
