import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { firstInProcesses } from '../support/cli/inProcess.js';
import { startServe, type Served } from '../support/cli/served.js';
import { startHostileMcpServer, type HostileMcpServer } from '../support/hostileMcpServer.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();

describe('audit show', () => {
  const data = newDirectory();
  const run = firstInProcesses(data);
  let remote: HostileMcpServer;
  let served: Served;

  beforeAll(async () => {
    remote = await startHostileMcpServer();
    served = await startServe(data);
    await run('mcp', 'add', remote.url, '--name', 'Corner');
    await run('call', 'roll_dice', '{"notation":"d6"}', '--call-id', 'first', '--turn', 't1');
    await run('call', 'plain', '{}', '--call-id', 'second', '--turn', 't1');
    await run('tools', 'off', 'roll_dice');
    await run('call', 'roll_dice', '{"notation":"d6"}', '--call-id', 'third', '--turn', 't2');
    await run('tools', 'on', 'roll_dice');
    await run('mcp', 'disable', 'Corner');
  });
  afterAll(async () => {
    await served.stop();
    await remote.stop();
  });

  it('says what a call was judged on as it was then, whatever was changed since', async () => {
    expect((await run.json('audit', 'show', 'third')).document).toMatchObject({
      judged: { workspace: 'open', switch: false, server: null },
      entries: [{ data: { reasons: ['switched_off'], basis: { settings: 0 } } }],
    });
    expect((await run.json('audit', 'show', 'first')).document).toMatchObject({ judged: { workspace: 'open', switch: null, server: null } });
    expect((await run.json('audit', 'show', 'second')).document).toMatchObject({ judged: { server: { name: 'Corner', enabled: true, accepted: true } } });
  });

  it('shows the text of the definition it went by', async () => {
    const { document } = await run.json('audit', 'show', 'second', '--definition');
    expect(document).toMatchObject({ definition: { name: 'plain' }, judged: { definition: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    const { stdout } = await run('audit', 'show', 'second', '--definition');
    expect(stdout).toMatch(/^The definition it went by:$/m);
    const builtIn = await run.json('audit', 'show', 'first', '--definition');
    expect(builtIn.document).toMatchObject({ definition: { name: 'roll_dice', inputSchema: { required: ['notation'] } } });
    const { judged } = builtIn.document as unknown as { judged: { definition: string } };
    expect((await run('audit', 'show', 'first')).stdout).toContain(`  definition: ${judged.definition}\n`);
    await run('call', 'nonsense', '{}', '--call-id', 'unknown');
    expect((await run('audit', 'show', 'unknown', '--definition')).stdout).toMatch(/^It went by no recorded definition\.$/m);
  });

  it('lists what else its turn did', async () => {
    const { document } = await run.json('audit', 'show', 'first');
    expect(document).toMatchObject({ turn: { others: [{ tool: 'plain', turn: 't1' }] } });
    const { stdout } = await run('audit', 'show', 'first');
    expect(stdout).toMatch(/^What else its turn did:\nrecorded .*\n.* plain /m);
    expect((await run('audit', 'show', 'third')).stdout).toMatch(/^Its turn made no other calls\.$/m);
  });
});

describe('audit search', () => {
  const data = newDirectory();
  const run = firstInProcesses(data);
  let served: Served;

  beforeAll(async () => {
    served = await startServe(data);
    for (const [id, tool] of [['a', 'roll_dice'], ['b', 'roll_dice'], ['c', 'nonsense']] as const) {
      await run('call', tool, '{"notation":"d6"}', '--call-id', id);
    }
  });
  afterAll(() => served.stop());

  it('says on request how many calls match', async () => {
    expect((await run('audit', 'search', '--count')).stdout).toBe('3\n');
    expect(await run.json('audit', 'search', '--count', '--outcome', 'refused')).toMatchObject({ code: 0, document: { count: 1 } });
    expect(await run.json('audit', 'search', '--count', '--user', 'nobody')).toMatchObject({ code: 0, document: { count: 0 } });
    expect(await run.json('audit', 'search', '--count', '--limit', '1')).toMatchObject({ code: 2, document: { error: { code: 'count_has_no_pages' } } });
  });

  it('goes on with a cursor, also when an age means another time by then, and refuses it for another search', async () => {
    const { document } = await run.json('audit', 'search', '--tool', 'roll_dice', '--since', '1h', '--limit', '1');
    const { cursor } = document as unknown as { cursor: string };
    const next = await run.json('audit', 'search', '--tool', 'roll_dice', '--since', '1h', '--cursor', cursor);
    expect(next.document.calls).toHaveLength(1);
    expect(next.document.calls[0]?.callId).not.toBe(document.calls[0]?.callId);
    for (const other of [['--tool', 'nonsense', '--since', '1h'], ['--tool', 'roll_dice', '--since', '1h', '--oldest'], []]) {
      expect(await run.json('audit', 'search', ...other, '--cursor', cursor)).toMatchObject({ code: 2, document: { error: { code: 'foreign_cursor' } } });
    }
  });
});
