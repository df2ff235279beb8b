import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { firstInProcesses } from '../support/cli/inProcess.js';
import { listing, on, plainTool, startHostileMcpServer, type HostileMcpServer } from '../support/hostileMcpServer.js';

jest.setTimeout(120_000);

const newDirectory = dataDirectories();

interface Entry {
  readonly type: string;
  readonly recordedAt: string;
  readonly actor: string;
  readonly text: string;
  readonly changes: unknown;
}

interface ShownLife {
  readonly serverId: string;
  readonly name: string;
  readonly state: string;
  readonly standing: string | null;
  readonly windows: readonly { readonly state: string; readonly from: string; readonly to: string | null }[];
  readonly entries: readonly Entry[];
}

describe('the life of a server', () => {
  const data = newDirectory();
  const run = firstInProcesses(data);
  let remote: HostileMcpServer;
  let lives: readonly ShownLife[];
  let text: string;

  /** What the two commands answer. */
  async function answer(...args: string[]): Promise<{ readonly asOf: string; readonly lives: readonly ShownLife[]; readonly figures: { readonly recorded: unknown; readonly estimated: unknown } }> {
    return (await run.json('mcp', ...args)).document as never;
  }

  beforeAll(async () => {
    remote = await startHostileMcpServer();
    await run('mcp', 'add', remote.url, '--name', 'notes');
    remote.behave(on('initialize', (_message, response) => response.destroy()));
    await run('call', 'plain', '{}');
    await run('call', 'plain', '{}');
    await run('mcp', 'refresh', 'notes');
    remote.behave(listing(plainTool, { ...plainTool, name: 'other' }));
    for (const does of ['refresh', 'disable', 'remove']) await run('mcp', does, 'notes');
    await run('mcp', 'add', remote.url, '--name', 'NOTES');
    lives = (await answer('history', 'Notes')).lives;
    text = (await run('mcp', 'history', 'notes')).stdout;
  });
  afterAll(() => remote.stop());

  const told = (life: ShownLife | undefined) => (life?.entries ?? []).map(({ type }) => type);

  it('is told of every registration of the name, oldest first', () => {
    expect(lives.map(({ name, state }) => [name, state])).toEqual([['notes', 'removed'], ['NOTES', 'enabled']]);
    expect(told(lives[0])).toEqual([
      'McpServerRegistered',
      'McpToolsDiscovered',
      'McpToolDefinitionsAccepted',
      'McpConnectionFailed',
      'McpConnectionFailed',
      'McpToolsDiscovered',
      'McpConnectionRecovered',
      'McpServerDisabled',
      'McpServerRemoved',
    ]);
    expect(told(lives[1])).toEqual(['McpServerRegistered', 'McpToolsDiscovered', 'McpToolDefinitionsAccepted']);
  });

  it('says who did what, what failed how and for how long it is left alone, and what changed', () => {
    const [, found, , failed, asked, changed, recovered] = lives[0]?.entries ?? [];
    expect(failed).toMatchObject({ actor: 'system', text: expect.stringMatching(/^Failure 1 in a row \(unreachable\): left alone for 5m, until /) });
    expect(asked).toMatchObject({ actor: expect.stringMatching(/^[0-9a-f-]{36}$/), text: 'It was tried on request and failed (unreachable); that does not count.' });
    expect(found?.changes).toEqual({ added: ['plain'], changed: [], removed: [] });
    expect(changed?.changes).toEqual({ added: ['other'], changed: [], removed: [] });
    expect(recovered?.text).toMatch(/^Reached again, after it failed at .* \(unreachable\)\.$/);
  });

  it('shows how it stood, without gaps', () => {
    const windows = lives[0]?.windows ?? [];
    expect(windows.map(({ state }) => state)).toEqual(['enabled', 'quarantined', 'enabled', 'disabled']);
    for (const [index, { to }] of windows.entries()) expect(to).toBe(windows[index + 1]?.from ?? lives[0]?.entries.at(-1)?.recordedAt);
  });

  it('is a timeline and a chart for people', () => {
    expect(text).toMatch(/^Server notes \(generic\) at http:\/\/127\.0\.0\.1:\d+ in workspace local, id /);
    expect(text).toMatch(/^quarantined +▒/m);
    expect(text).toContain('█ all of the time, ▒ a part of it');
    expect(text).toMatch(/^[\d-]{10} [\d:]{8} {2}Failure 1 in a row .* \(by toolledger itself\)$/m);
    expect(text).toMatch(/^[\d-]{10} [\d:]{8} {2}What it offers changed: added: other\. \(by the operator of this machine through cli\)$/m);
    expect(text).toContain('Server NOTES (generic)');
  });

  it('is told of one registration when its id is given', async () => {
    const [, second] = lives;
    const one = await answer('history', 'notes', '--id', second?.serverId ?? '');
    expect(one.lives.map(({ name }) => name)).toEqual(['NOTES']);
  });

  it('is told as it was on record at a time', async () => {
    const failed = lives[0]?.entries[3]?.recordedAt ?? '';
    const then = await answer('history', 'notes', '--as-of', failed);
    expect(then).toMatchObject({ asOf: failed, lives: [{ state: 'quarantined', standing: expect.stringContaining('It is left alone until') }] });
    expect(told(then.lives[0])).toHaveLength(4);
  });

  it('of a name that nobody registered is an error that says which there are', async () => {
    expect(await run.json('mcp', 'history', 'nots')).toMatchObject({ code: 1, document: { error: { code: 'not_found', message: 'No server "nots" was ever registered in local. These were: notes, NOTES.' } } });
    expect(await run.json('mcp', 'history', 'notes', '--as-of', '2020-01-01T00:00:00Z')).toMatchObject({ code: 1, document: { error: { code: 'not_found' } } });
    expect(await run.json('mcp', 'history', 'notes', '--id', 'x')).toMatchObject({ code: 1, document: { error: { code: 'not_found', ids: lives.map(({ serverId }) => serverId) } } });
  });

  describe('under another policy', () => {
    it('is estimated from what is on record, next to it', async () => {
      const first = lives[0]?.serverId ?? '';
      const { code, document } = await run.json('mcp', 'what-if', 'notes', '--id', first, '--cooldown', '1s', '--cap', '2s');
      expect({ code, document }).toMatchObject({
        code: 0,
        document: {
          estimate: true,
          serverId: first,
          present: { cooldownMs: 300_000, capMs: 10_800_000, autoDisableMs: 86_400_000 },
          estimated: { cooldownMs: 1_000, capMs: 2_000, autoDisableMs: 86_400_000 },
          recordedUnderPresent: true,
          figures: { recorded: { attempts: 2, failures: 1, turnedAway: 1, autoDisabledAt: [] } },
          recoveries: [{ recordedAt: lives[0]?.entries[6]?.recordedAt, noticedAt: lives[0]?.entries[6]?.recordedAt, laterMs: 0 }],
        },
      });
    });

    it('is what happened when the policy is the present one', async () => {
      const { recorded, estimated } = (await answer('what-if', 'notes', '--id', lives[0]?.serverId ?? '')).figures;
      expect(estimated).toEqual(recorded);
    });

    it('is plainly an estimate, of the newest registration', async () => {
      const { stdout } = await run('mcp', 'what-if', 'notes', '--cooldown', '10m');
      expect(stdout).toMatch(new RegExp(`^An ESTIMATE of another policy for server notes in workspace local, id ${lives[1]?.serverId ?? ''}`));
      expect(stdout).toMatch(/^first quarantine +5m +10m$/m);
      expect(stdout).toMatch(/^at most +3h +6h$/m);
      expect(stdout).toContain('Assumed: The server is taken to be down from the first failure');
    });

    it.each([
      [['--cooldown', '2h', '--cap', '1h'], 'invalid_policy'],
      [['--cooldown', '0s'], 'invalid_policy'],
      [['--cooldown', '10'], 'invalid_duration'],
    ])('must be one: %j', async (options, code) => {
      expect(await run.json('mcp', 'what-if', 'notes', ...options)).toMatchObject({ code: 2, document: { error: { code } } });
    });
  });
});
