import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parseCheckpoint } from '../../src/platform/tlog/checkpoint.js';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { inThisProcess, jsonInThisProcess } from '../support/cli/inProcess.js';
import { firstEvents } from '../support/cli/firstEvents.js';
import { stackTraceIn } from '../support/cli/printedBytes.js';
import { outputOf, startProgram } from '../support/cli/program.js';
import { startServe, type Served } from '../support/cli/served.js';
import { csvRows } from '../support/export/csvRows.js';
import { fillLedger } from '../support/export/largeLedger.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

interface Record {
  readonly position: string;
  readonly type: string;
  readonly actor: string;
  readonly data: { readonly [field: string]: unknown };
  readonly personal: readonly { readonly subject: string; readonly values: unknown }[];
}

async function exportedRecords(data: string, ...options: readonly string[]): Promise<readonly Record[]> {
  const { code, stdout, stderr } = await inThisProcess(data, ['audit', 'export', '--format', 'jsonl', ...options]);
  if (code !== 0) throw new Error(stderr);
  return stdout.split('\n').slice(0, -1).map((line) => JSON.parse(line) as Record);
}

describe('audit export beside a server', () => {
  const data = newDirectory();
  let served: Served;

  beforeAll(async () => {
    served = await startServe(data);
    await inThisProcess(data, ['call', 'roll_dice', '{"notation":"d6"}', '--call-id', 'own']);
    await inThisProcess(data, ['call', 'nonsense', '{}', '--user', '4242', '--call-id', 'theirs']);
  });
  afterAll(() => served.stop());

  it.each(['jsonl', 'csv', 'cloudevents', 'ocsf'])('gives %s on standard output and its manifest on standard error, and is on record', async (format) => {
    const { code, stdout, stderr } = await inThisProcess(data, ['audit', 'export', '--format', format]);
    expect(code).toBe(0);
    const manifest = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as Record['data'];
    expect(manifest).toMatchObject({ manifest: 'toolledger/export@1', format, opened: false, filter: {}, sha256: sha256(stdout), bytes: Buffer.byteLength(stdout) });
    const made = (await exportedRecords(data)).findLast(({ type }) => type === 'ExportMade');
    const { exportId, records, first, last } = manifest;
    expect(made?.data).toEqual({ exportId, format, filter: {}, opened: false, records, first, last, bytes: Buffer.byteLength(stdout), sha256: sha256(stdout) });
    expect(made?.actor).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('writes a file with a manifest beside it, which can be checked anywhere', async () => {
    const out = join(newDirectory());
    const { document } = await jsonInThisProcess(data, ['audit', 'export', '--format', 'csv', '--tool', 'roll_dice', '--out', out]);
    const text = readFileSync(out, 'utf8');
    expect(document).toMatchObject({ file: out, records: 2, filter: { tool: 'roll_dice' }, sha256: sha256(text) });
    expect(JSON.parse(readFileSync(`${out}.manifest.json`, 'utf8'))).toMatchObject({ records: 2, sha256: sha256(text) });
    expect(csvRows(text).map(({ type, tool }) => [type, tool])).toEqual([
      ['ToolCallAdmitted', 'roll_dice'],
      ['ToolCallSucceeded', 'roll_dice'],
    ]);
    expect(await jsonInThisProcess(newDirectory(), ['audit', 'check-export', out])).toMatchObject({ code: 0, document: { records: 2 } });
    expect(await jsonInThisProcess(data, ['audit', 'export', '--format', 'csv', '--out', out])).toMatchObject({ code: 2, document: { error: { code: 'file_exists' } } });
  });

  it('keeps personal values sealed, and records before it opens them who asked for what', async () => {
    const sealed = await exportedRecords(data, '--user', '4242');
    expect(sealed.map(({ personal }) => personal.map(({ values }) => values))).toEqual([['[sealed]']]);
    const opened = await exportedRecords(data, '--user', '4242', '--text', 'nonsense', '--open');
    expect(opened).toMatchObject([{ personal: [{ values: { toolName: 'nonsense' } }] }]);

    const records = await exportedRecords(data, '--open');
    const [before, after] = ['PersonalValuesOpened', 'ExportMade'].map((type) => records.findLast((record) => record.type === type));
    const subject = opened[0]?.personal[0]?.subject;
    expect(before?.data).toEqual({ purpose: 'export', subjects: null, callId: null, filter: { subject } });
    expect(after?.data).toMatchObject({ opened: true, filter: { subject }, records: 1 });
    // What was typed is for the one who typed it.
    for (const record of [before, after]) expect(record?.personal).toMatchObject([{ subject: record?.actor, values: { text: 'nonsense' } }]);
    expect(Number(after?.position)).toBeGreaterThan(Number(before?.position));
  });

  it('holds what was recorded when it began', async () => {
    const before = await exportedRecords(data, '--tool', 'roll_dice');
    await inThisProcess(data, ['call', 'roll_dice', '{"notation":"d8"}']);
    const after = await exportedRecords(data, '--tool', 'roll_dice', '--open');
    expect(after.slice(0, before.length).map(({ position }) => position)).toEqual(before.map(({ position }) => position));
    expect(after).toHaveLength(before.length + 2);
  });

  it('ends with a signed checkpoint that covers all of it, made when there was none', async () => {
    const manifest = async () => {
      const { stderr } = await inThisProcess(data, ['audit', 'export', '--format', 'jsonl', '--tool', 'roll_dice']);
      return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { readonly last: string; readonly checkpoint: { readonly size: number; readonly position: string; readonly note: string } };
    };
    await inThisProcess(data, ['call', 'roll_dice', '{"notation":"d10"}']);
    const { last, checkpoint } = await manifest();
    expect(Number(checkpoint.position)).toBeGreaterThanOrEqual(Number(last));
    expect(parseCheckpoint(checkpoint.note)).toMatchObject({ size: checkpoint.size });
    expect(readFileSync(join(data, 'seals', '1', 'checkpoint'), 'utf8')).toBe(checkpoint.note);
    // What is covered already is not sealed again.
    expect((await manifest()).checkpoint).toEqual(checkpoint);
    const nothing = await inThisProcess(data, ['audit', 'export', '--format', 'jsonl', '--until', '0001-01-02T00:00:00Z']);
    expect(JSON.parse(nothing.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ records: 0, last: null, checkpoint });
  });

  it.each<[exit: number, code: string, options: readonly string[]]>([
    [2, 'no_format', []],
    [2, 'invalid_option', ['--format', 'xml']],
    [2, 'no_file', ['--resume']],
    [2, 'no_file', ['--format', 'csv', '--out', '']],
    [2, 'file_exists', ['--format', 'csv', '--out', '/']],
    [2, 'resume_asks_nothing', ['--resume', '--out', 'x', '--tool', 'y']],
    [2, 'nothing_to_resume', ['--resume', '--out', '/nowhere/x']],
    [2, 'empty_time_range', ['--format', 'csv', '--since', '2026-01-02', '--until', '2026-01-01']],
    [2, 'two_people_named', ['--format', 'csv', '--user', '1', '--subject', '00000000-0000-4000-8000-000000000001']],
    [2, 'invalid_text', ['--format', 'csv', '--text', '*']],
    [1, 'person_unknown', ['--format', 'csv', '--user', 'nobody']],
    [1, 'cannot_write', ['--format', 'csv', '--out', '/nowhere/x']],
  ])('ends with %i and %s for %j', async (exit, code, options) => {
    const answer = await jsonInThisProcess(data, ['audit', 'export', ...options]);
    expect([answer.code, answer.document.error.code]).toEqual([exit, code]);
    expect(stackTraceIn(answer.stderr)).toBeNull();
  });

  it('takes an enormous range for what lies in it', async () => {
    const everything = await exportedRecords(data, '--since', '0001-01-01T00:00:00Z', '--until', '9999-12-31T23:59:59Z');
    expect(everything[0]).toMatchObject({ position: '1' });
    expect(await exportedRecords(data, '--until', '0001-01-02T00:00:00Z')).toEqual([]);
  });
});

describe('an export of many events', () => {
  const data = newDirectory();
  const events = 16_000;

  beforeAll(async () => {
    await inThisProcess(data, ['workspace', 'list']);
    await fillLedger(join(data, 'ledger.db'), events);
  });

  it('says on standard error how far it is', async () => {
    const { code, stdout, stderr } = await inThisProcess(data, ['audit', 'export', '--format', 'csv']);
    expect([code, stdout.split('\r\n').length]).toEqual([0, firstEvents + events + 2]);
    expect(stderr).toMatch(new RegExp(`^exporting: 10000 of ${firstEvents + events} events$`, 'm'));
  });

  it('ends with 1 when whoever reads it goes away', async () => {
    const child = startProgram(data, ['audit', 'export', '--format', 'jsonl']);
    child.stdout?.once('data', () => child.stdout?.destroy());
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(stderr).toMatch(/^toolledger: .*what was written is cut/m);
    expect(stackTraceIn(stderr)).toBeNull();
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('that %s stops is named as cut, and goes on byte for byte where it was', async (signal) => {
    const out = newDirectory();
    const child = startProgram(data, ['audit', 'export', '--format', 'jsonl', '--out', out]);
    child.stderr?.on('data', (text: string) => {
      if (text.includes('exporting: 10')) child.kill(signal);
    });
    const { code } = await outputOf(child);
    expect(code).toBe(signal === 'SIGTERM' ? 1 : null);
    expect(await jsonInThisProcess(data, ['audit', 'check-export', out])).toMatchObject({ code: 1, document: { error: { code: 'export_cut' } } });
    expect(await jsonInThisProcess(data, ['audit', 'export', '--format', 'jsonl', '--out', out])).toMatchObject({ code: 2, document: { error: { code: 'export_interrupted' } } });

    const { end } = (JSON.parse(readFileSync(`${out}.partial.json`, 'utf8')) as { state: { end: string } }).state;
    expect(await jsonInThisProcess(data, ['audit', 'export', '--out', out, '--resume'])).toMatchObject({ code: 0, document: { last: end } });
    const { stdout } = await inThisProcess(data, ['audit', 'export', '--format', 'jsonl']);
    const written = readFileSync(out, 'utf8');
    expect(sha256(stdout.split('\n').slice(0, Number(end)).join('\n') + '\n')).toBe(sha256(written));
    expect(await jsonInThisProcess(data, ['audit', 'check-export', out])).toMatchObject({ code: 0 });
  });
});
