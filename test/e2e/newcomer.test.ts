import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { firstInProcesses } from '../support/cli/inProcess.js';
import type { Finished, JsonAnswer } from '../support/cli/program.js';
import { startServe, type Served } from '../support/cli/served.js';
import { startEverythingServer, type EverythingServer } from '../support/everythingServer.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();

let everything: EverythingServer;
beforeAll(async () => {
  everything = await startEverythingServer();
});
afterAll(() => everything.stop());

describe.each(['without serve', 'with serve'])('what a newcomer does, %s', (mode) => {
  // The story is told once; every test reads one part of it.
  let serve: Served | null = null;
  let dice: JsonAnswer;
  let added: Finished;
  let echo: JsonAnswer;
  let again: JsonAnswer;
  let conflict: JsonAnswer;
  let switchedOff: JsonAnswer;
  let closed: JsonAnswer;
  let search: Finished;
  let failed: JsonAnswer;
  let life: Finished;
  let explained: JsonAnswer;
  let workspaces: JsonAnswer;
  let status: Finished;
  let rebuilt: Finished;
  let verified: JsonAnswer;
  let doctor: JsonAnswer;

  beforeAll(async () => {
    const data = newDirectory();
    if (mode === 'with serve') serve = await startServe(data);
    const run = firstInProcesses(data);
    const { json } = run;

    dice = await json('call', 'roll_dice', '{"notation":"4d6kh3+2"}');
    added = await run('mcp', 'add', everything.url, '--name', 'everything');
    echo = await json('call', 'echo', '{"message":"hi"}', '--call-id', 'mine.1', '--user', '4711');
    again = await json('call', 'echo', '{"message":"hi"}', '--call-id', 'mine.1', '--user', '4711');
    conflict = await json('call', 'echo', '{"message":"ho"}', '--call-id', 'mine.1', '--user', '4711');
    await run('tools', 'off', 'roll_dice');
    switchedOff = await json('call', 'roll_dice', '{"notation":"d6"}');
    explained = await json('tools', 'list', '--explain');
    await run('tools', 'on', 'roll_dice');
    await run('workspace', 'open', 'g42');
    await run('workspace', 'close', 'g42');
    workspaces = await json('workspace', 'list');
    closed = await json('call', 'roll_dice', '{"notation":"d6"}', '--workspace', 'g42');
    search = await run('audit', 'search');
    failed = await json('audit', 'search', '--outcome', 'refused', '--oldest');
    life = await run('audit', 'show', echo.document.callId);
    status = await run('projections', 'status');
    rebuilt = await run('projections', 'rebuild', '--all');
    verified = await json('ledger', 'verify');
    doctor = await json('doctor');
  });
  afterAll(async () => {
    await serve?.stop();
  });

  it('rolls dice', () => {
    expect(dice).toMatchObject({ code: 0, document: { status: 'succeeded', success: true, data: { notation: '4d6kh3+2' } } });
  });

  it('adds a real MCP server, sees its tools and is told what to trust', () => {
    expect(added.code).toBe(0);
    expect(added.stdout).toMatch(/^echo\s+\S/m);
    expect(added.stdout).toContain('Only add servers you trust.');
  });

  it('calls a tool of that server', () => {
    expect(echo).toMatchObject({ code: 0, document: { success: true, content: [{ type: 'text', text: 'Echo: hi' }] } });
  });

  it('gets the recorded answer when it repeats a call by its id', () => {
    expect(again).toMatchObject({ code: 0, document: { callId: echo.document.callId, status: 'succeeded', replayed: true } });
  });

  it('is refused when it uses the id again for other arguments', () => {
    expect(conflict).toMatchObject({ code: 1, document: { success: false, status: 'refused', error: { code: 'call_id_conflict' } } });
  });

  it('is refused a tool that is switched off, with the reason', () => {
    expect(switchedOff).toMatchObject({ code: 1, document: { status: 'refused', error: { reasons: ['switched_off'] } } });
  });

  it('sees of each tool whether it may be used, and why not', () => {
    expect(explained.code).toBe(0);
    expect(explained.document.tools).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'roll_dice', available: false, reasons: [{ code: 'switched_off', text: expect.any(String) }] }),
        expect.objectContaining({ name: 'echo', from: 'everything', available: true, reasons: [] }),
      ]),
    );
  });

  it('opens and closes a workspace, which is refused from then on', () => {
    expect(workspaces.document.workspaces).toEqual([
      expect.objectContaining({ workspace: 'g42', state: 'closed' }),
      expect.objectContaining({ workspace: 'local', state: 'open' }),
    ]);
    expect(closed).toMatchObject({ code: 1, document: { status: 'refused', error: { reasons: ['workspace_closed'] } } });
  });

  it('finds the calls', () => {
    expect(search.code).toBe(0);
    for (const { document } of [dice, echo, switchedOff, closed]) expect(search.stdout).toContain(document.callId);
  });

  it('finds the refused calls alone, oldest first', () => {
    expect(failed.document.calls.map(({ reasons }) => reasons)).toEqual([['call_id_conflict'], ['switched_off'], ['workspace_closed']]);
    expect(failed.document.calls.map(({ callId }) => callId)).toEqual([conflict, switchedOff, closed].map(({ document }) => document.callId));
  });

  it('reads the whole life of a call, admission before ending', () => {
    expect(life.code).toBe(0);
    expect(life.stdout).toMatch(/ToolCallAdmitted[^]*on behalf of[^]*ToolCallSucceeded/);
    // The values are those of the person it was for, whom the reader is not.
    expect(life.stdout).not.toContain('4711');
    expect(life.stdout).toContain('[sealed]');
  });

  it('sees how far the views are', () => {
    expect(status.code).toBe(0);
    for (const view of ['toolCallLog', 'callText', 'toolRegistry', 'mcpServers', 'toolNameSnapshots']) {
      expect(status.stdout).toMatch(new RegExp(`^${view}@\\d+\\s+live\\s+\\d+\\s+0 events`, 'm'));
    }
  });

  it('rebuilds every view, with progress on stderr', () => {
    expect(rebuilt.code).toBe(0);
    expect(rebuilt.stdout.match(/\b[0-9a-f]{64}$/gm)).toHaveLength(5);
    expect(rebuilt.stderr).toContain('rebuilding: ');
  });

  it('verifies the ledger', () => {
    expect(verified).toMatchObject({ code: 0, document: { ok: true, events: expect.any(Number) } });
  });

  it('has its installation examined', () => {
    expect(doctor.code).toBe(0);
    expect(doctor.document).toMatchObject({ findings: expect.arrayContaining([expect.objectContaining({ check: 'ledger', state: 'ok' })]) });
  });
});
