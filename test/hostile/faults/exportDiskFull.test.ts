import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { inThisProcess } from '../../support/cli/inProcess.js';
import { stackTraceIn } from '../../support/cli/printedBytes.js';
import { mountSmallDisk } from '../../support/cli/smallDisk.js';
import { fillLedger } from '../../support/export/largeLedger.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();
const disk = mountSmallDisk();
afterAll(() => disk?.remove());
// Needs a file system of its own, which only root may make.
const describeWhere = disk === null ? describe.skip : describe;

describeWhere('a disk that gets full while an export is written', () => {
  const data = newDirectory();
  const target = disk?.directory ?? '';
  const out = join(target, 'all.jsonl');
  const run = async (...args: string[]) => inThisProcess(data, args);
  const begin = ['audit', 'export', '--format', 'jsonl', '--out', out];
  const goOn = ['audit', 'export', '--out', out, '--resume'];

  beforeAll(async () => {
    await run('workspace', 'list');
    await fillLedger(join(data, 'ledger.db'), 12_000);
  });

  it('ends it with the name of the file and what to do, and keeps what was written', async () => {
    disk?.fill(6 * 1024 * 1024);
    const { code, stdout, stderr } = await run(...begin);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`toolledger: ${out}.partial cannot be written: there is no space left for it (ENOSPC). Free some space, then go on, or begin anew in another place.`);
    expect(stderr).toContain(`The export to ${out} is not finished; go on with it by --out ${out} --resume.`);
    expect(stackTraceIn(stderr)).toBeNull();
    expect(readdirSync(target).sort()).toEqual(['all.jsonl.partial', 'all.jsonl.partial.json', 'filler']);
    // The journal was moved on before the disk was full.
    expect((JSON.parse(readFileSync(`${out}.partial.json`, 'utf8')) as { bytes: number }).bytes).toBeGreaterThan(4 * 1024 * 1024);
  });

  it('says so again while it is full, and loses nothing', async () => {
    const { code, stderr } = await run(...goOn);
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no space left')]);
  });

  it('leaves the ledger as it was', async () => {
    expect(await run('ledger', 'verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('As they were written') });
    expect(await run('call', 'roll_dice', '{"notation":"d6"}')).toMatchObject({ code: 0 });
  });

  it('goes on once there is space, to what an export with space gives', async () => {
    disk?.free();
    expect(await run(...goOn)).toMatchObject({ code: 0 });
    expect(await run('audit', 'check-export', out)).toMatchObject({ code: 0 });
    const whole = join(data, 'whole.jsonl');
    await run('audit', 'export', '--format', 'jsonl', '--out', whole);
    const written = readFileSync(out, 'utf8');
    expect(readFileSync(whole, 'utf8').startsWith(written)).toBe(true);
    expect(existsSync(`${out}.partial`)).toBe(false);
  });

  it('leaves nothing behind when there was no space from the beginning', async () => {
    const before = readdirSync(target);
    disk?.fill();
    const { code, stderr } = await run('audit', 'export', '--format', 'csv', '--out', join(target, 'none.csv'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no space left')]);
    expect(readdirSync(target).filter((name) => name !== 'filler')).toEqual(before);
  });
});
