import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { stackTraceIn } from '../../support/cli/printedBytes.js';
import { firstInProcesses, jsonInThisProcess, type Runner } from '../../support/cli/inProcess.js';
import { startServe, type Served } from '../../support/cli/served.js';
import { limitFileSize, mountSmallDisk } from '../../support/cli/smallDisk.js';
import { on, replyResult, startHostileMcpServer, type HostileMcpServer } from '../../support/hostileMcpServer.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();
const disk = mountSmallDisk();
afterAll(() => disk?.remove());

/** Each is a way to make every further write fail, as a name for people, the cause that is told, and how. */
const failures = [
  {
    what: 'a disk whose writes fail',
    cause: 'io_error',
    possible: limitFileSize(process.pid, Number.MAX_SAFE_INTEGER),
    directory: newDirectory,
    fail: (data: string, { pid }: Served) => {
      limitFileSize(pid, statSync(join(data, 'ledger.db-wal')).size);
    },
    repair: () => undefined,
  },
  {
    what: 'a disk that is full',
    cause: 'disk_full',
    // Needs a file system of its own, which only root may make.
    possible: disk !== null,
    directory: () => join(disk?.directory ?? '', `${(directories += 1)}`),
    fail: () => disk?.fill(),
    repair: () => disk?.free(),
  },
];
let directories = 0;

describe.each(failures)('$what', ({ cause, possible, directory, fail, repair }) => {
  const itWhere = possible ? it : it.skip;
  let data: string;
  let run: Runner;
  let remote: HostileMcpServer;
  let served: Served;

  beforeEach(async () => {
    data = directory();
    run = firstInProcesses(data);
    remote = await startHostileMcpServer();
    served = await startServe(data);
    await run.json('mcp', 'add', remote.url, '--name', 'remote');
  });
  afterEach(async () => {
    await served.stop('SIGKILL');
    await remote.stop();
    repair();
  });

  itWhere('refuses calls before anything is sent, says why, and goes on reading', async () => {
    const before = await run.json('call', 'plain');
    // Waits for the views: what they have not folded by now they cannot show later on.
    await run.json('audit', 'search');
    fail(data, served);
    for (const tool of ['plain', 'roll_dice']) {
      const refused = await run.json('call', tool, '{"notation":"d6"}');
      expect(refused).toMatchObject({ code: 1, document: { success: false, error: { code: 'ledger_read_only', message: expect.stringMatching(/disk/) } } });
    }
    expect(remote.seen.filter(({ method }) => method === 'tools/call')).toHaveLength(1);

    const health = await fetch(`${served.origin}/health`);
    expect([health.status, await health.json()]).toMatchObject([503, { checks: { ledger: { ok: false, detail: `read-only: ${cause}` } } }]);
    expect(await run.json('audit', 'show', before.document.callId)).toMatchObject({ code: 0 });
    expect(await run.json('audit', 'search')).toMatchObject({ code: 0, document: { calls: [{ callId: before.document.callId }] } });
    expect(await run.json('tools', 'off', 'plain')).toMatchObject({ code: 1, document: { error: { code: 'read_only', cause } } });

    repair();
    const { code, stderr } = await served.stop();
    expect([code, stackTraceIn(stderr)]).toEqual([0, null]);
    expect(await run.json('call', 'plain')).toMatchObject({ code: 0 });
    expect(await run.json('ledger', 'verify')).toMatchObject({ code: 0 });
  });

  itWhere('hands out the result of a call that had run, marked as unrecorded, and records it as unknown at the next start', async () => {
    remote.behave(
      on('tools/call', (message, response) => {
        fail(data, served);
        replyResult(response, message, { content: [{ type: 'text', text: 'done' }] });
      }),
    );
    const answer = await run.json('call', 'plain', '--call-id', 'once');
    expect(answer).toMatchObject({ document: { status: 'succeeded', unrecorded: true, content: [{ type: 'text', text: 'done' }] } });
    expect(await run.json('call', 'plain')).toMatchObject({ code: 1, document: { error: { code: 'ledger_read_only' } } });

    repair();
    await served.stop();
    expect(await run.json('call', 'plain', '--call-id', 'once')).toMatchObject({
      code: 1,
      document: { callId: answer.document.callId, status: 'unknown', replayed: true },
    });
    expect(remote.seen.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
  });
});

describe('a full disk on which only the views lie', () => {
  (disk === null ? it.skip : it)('keeps nobody waiting for them: what they show is said to be older, until there is room again', async () => {
    const data = newDirectory();
    const views = join(disk?.directory ?? '', 'views');
    mkdirSync(data, { mode: 0o700 });
    mkdirSync(views);
    symlinkSync(views, join(data, 'readmodels'));
    const served = await startServe(data);
    try {
      disk?.fill();
      const { document: call } = await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"d6"}']);
      const older = await jsonInThisProcess(data, ['audit', 'search']);
      expect(older).toMatchObject({ code: 0, document: { calls: [] }, stderr: expect.stringMatching(/The view toolCallLog cannot follow the ledger now \(.*disk is full.*\)/) });
      disk?.free();
      expect(await jsonInThisProcess(data, ['audit', 'search'])).toMatchObject({ code: 0, document: { calls: [{ callId: call.callId }] }, stderr: '' });
    } finally {
      disk?.free();
      await served.stop();
    }
  });
});

describe('a disk that gets full', () => {
  (disk === null ? it.skip : it)('is warned of in health, log and doctor while everything still works', async () => {
    const data = join(disk?.directory ?? '', 'scarce');
    const served = await startServe(data);
    const health = await fetch(`${served.origin}/health`);
    expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok', checks: { disk: { ok: true, detail: expect.stringMatching(/^getting full: \d+ MiB free$/) } } }]);
    expect(await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"d6"}'])).toMatchObject({ code: 0 });
    expect((await served.stop()).stderr).toContain('the disk is getting full');
    expect((await jsonInThisProcess(data, ['doctor'])).document).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ check: 'disk', state: 'warning' })]),
    });
  });
});
