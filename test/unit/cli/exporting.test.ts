import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, readdirSync, linkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkExport } from '../../../src/cli/exporting/checkExport.js';
import { exportFiles, isFinished, readJournal, refuseOverwriting } from '../../../src/cli/exporting/exportFiles.js';
import { newFile, resumedFile } from '../../../src/cli/exporting/fileTarget.js';
import type { ExportManifest, ExportState } from '../../../src/operations/export/makeExport.js';

const root = mkdtempSync(join(tmpdir(), 'tl-export-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
let files = exportFiles('');
beforeEach(() => {
  const directory = join(root, String((count += 1)));
  files = exportFiles(join(mkdtempSync(directory), 'calls.csv'));
});

const state: ExportState = {
  exportId: '0198c0de-0000-7000-8000-00000000e001',
  format: 'csv',
  conditions: { tool: 'roll_dice' },
  open: false,
  end: '9',
  readTo: '4',
  records: 2,
  first: '1',
  last: '4',
};

const manifestOf = (sums: { bytes: number; sha256: string }): ExportManifest => ({
  manifest: 'toolledger/export@1',
  exportId: state.exportId,
  format: 'csv',
  filter: {},
  opened: false,
  records: 2,
  first: '1',
  last: '4',
  checkpoint: null,
  ...sums,
});

/** Kept, so that nothing closes the files of an export that nobody ended. */
const dead: unknown[] = [];

/** An export that wrote `marked` and then `after` it before it was stopped, as a process that dies leaves it. */
async function interrupted(marked: string, after: string): Promise<void> {
  const target = await newFile(files);
  dead.push(target);
  await target.write(marked);
  await target.mark(state);
  await target.write(after);
}

async function finished(text: string): Promise<void> {
  const target = await newFile(files);
  await target.write(text);
  await target.mark(state);
  await target.finish(manifestOf(target.sums()));
  await target.close();
}

const names = (): readonly string[] => readdirSync(join(files.file, '..')).sort();

describe('a file that is exported into', () => {
  it('has its name only when it is finished, and nothing else is left beside its manifest', async () => {
    const target = await newFile(files);
    await target.write('one\r\n');
    await target.mark(state);
    expect(names()).toEqual(['calls.csv.partial', 'calls.csv.partial.json']);
    await target.finish(manifestOf(target.sums()));
    await target.close();
    expect(names()).toEqual(['calls.csv', 'calls.csv.manifest.json']);
    expect(readFileSync(files.file, 'utf8')).toBe('one\r\n');
    expect(JSON.parse(readFileSync(files.manifest, 'utf8'))).toMatchObject({ bytes: 5, records: 2 });
  });

  it('is for its owner only, with all that lies beside it', async () => {
    await interrupted('one\r\n', '');
    for (const file of [files.draft, files.journal]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('goes on byte for byte where it was marked, whatever was written after that', async () => {
    await interrupted('one\r\n', 'two\r\nthr');
    const { state: left, ...written } = readJournal(files);
    expect(left).toEqual(state);
    const target = await resumedFile(files, written);
    await target.write('two\r\n');
    await target.mark(state);
    expect(target.sums().bytes).toBe(10);
    await target.finish(manifestOf(target.sums()));
    await target.close();
    expect(readFileSync(files.file, 'utf8')).toBe('one\r\ntwo\r\n');
    expect(await checkExport(files.file)).toMatchObject({ records: 2, bytes: 10 });
  });

  it('remembers when it is stopped how far it came, without what was not marked', async () => {
    const target = await newFile(files);
    await target.write('one\r\n');
    await target.mark({ ...state, readTo: '1' });
    await target.write('two\r\n');
    await target.mark(state);
    await target.write('half');
    await target.close();
    expect(readJournal(files)).toMatchObject({ bytes: 10, state: { readTo: '4' } });
  });

  it('leaves nothing behind when it ends before anything was marked', async () => {
    const target = await newFile(files);
    await target.write('titles\r\n');
    await target.close();
    expect(names()).toEqual([]);
  });

  it.each([
    ['cut', (): void => truncateSync(files.draft, 3)],
    ['changed', (): void => writeFileSync(files.draft, 'ONE\r\ntwo')],
  ])('is not gone on with when what was written is %s', async (_what, harm) => {
    await interrupted('one\r\n', 'two');
    harm();
    await expect(resumedFile(files, readJournal(files))).rejects.toMatchObject({ kind: 'failed', code: 'draft_changed' });
  });

  it.each(['', '{', '{"state":{}}', '[]', 'null'])('is not gone on with when its journal says %j', async (text) => {
    await interrupted('one\r\n', '');
    writeFileSync(files.journal, text);
    expect(() => readJournal(files)).toThrow(expect.objectContaining({ code: 'damaged_journal' }));
  });

  it('says which file cannot be written and why', async () => {
    await expect(newFile(exportFiles(join(root, 'nowhere', 'calls.csv')))).rejects.toMatchObject({ kind: 'failed', code: 'cannot_write', details: { errno: 'ENOENT' } });
  });
});

describe('exporting to a file', () => {
  it('never overwrites what is there', async () => {
    await finished('one\r\n');
    expect(() => refuseOverwriting(files)).toThrow(expect.objectContaining({ kind: 'usage', code: 'file_exists' }));
  });

  it('never begins anew over an interrupted export, and says how to go on with it', async () => {
    await interrupted('one\r\n', '');
    expect(() => refuseOverwriting(files)).toThrow(expect.objectContaining({ kind: 'usage', code: 'export_interrupted', message: expect.stringContaining('--resume') }));
  });

  it('has nothing to go on with where no export was interrupted', () => {
    expect(() => readJournal(files)).toThrow(expect.objectContaining({ kind: 'usage', code: 'nothing_to_resume' }));
  });

  it('knows an export that only had to be tidied up after', async () => {
    await interrupted('one\r\n', '');
    writeFileSync(files.manifest, JSON.stringify(manifestOf({ bytes: 5, sha256: '' })));
    expect(isFinished(files, state)).toBe(false);
    linkSync(files.draft, files.file);
    expect(isFinished(files, state)).toBe(true);
    expect(isFinished(files, { ...state, exportId: '0198c0de-0000-7000-8000-00000000e002' })).toBe(false);
  });
});

describe('checking an export', () => {
  it('takes one that is as it was written', async () => {
    await finished('one\r\n');
    expect(await checkExport(files.file)).toMatchObject({ file: files.file, records: 2, bytes: 5 });
  });

  it.each<[what: string, harm: () => void, code: string]>([
    ['lost its end', () => truncateSync(files.file, 3), 'export_cut'],
    ['is empty', () => truncateSync(files.file, 0), 'export_cut'],
    ['is gone', () => rmSync(files.file), 'export_cut'],
    ['has no manifest', () => rmSync(files.manifest), 'export_cut'],
    ['was changed', () => writeFileSync(files.file, 'two\r\n'), 'export_changed'],
    ['got more', () => writeFileSync(files.file, 'one\r\ntwo\r\n'), 'export_changed'],
    ['has a manifest of something else', () => writeFileSync(files.manifest, '{"records":1}'), 'not_a_manifest'],
  ])('names one that %s', async (_what, harm, code) => {
    await finished('one\r\n');
    harm();
    await expect(checkExport(files.file)).rejects.toMatchObject({ code });
  });

  it('names one that was interrupted, and one that never was', async () => {
    await expect(checkExport(files.file)).rejects.toMatchObject({ kind: 'usage', code: 'no_such_export' });
    await interrupted('one\r\n', '');
    await expect(checkExport(files.file)).rejects.toMatchObject({ code: 'export_cut', message: expect.stringContaining('--resume') });
    expect(existsSync(files.file)).toBe(false);
  });
});
