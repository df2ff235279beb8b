import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { stackTraceIn } from '../../support/cli/printedBytes.js';
import { toolledger, toolledgerJson } from '../../support/cli/program.js';

jest.setTimeout(120_000);

const newDirectory = dataDirectories();
/** Root may write everywhere, so the tests do without it: as nobody. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534 } : {};

describe('a data directory that this user may only read', () => {
  const data = newDirectory();
  let callId: string;
  let before: Buffer;

  beforeAll(async () => {
    callId = (await toolledgerJson(data, ['call', 'roll_dice', '{"notation":"d6"}'])).document.callId;
    const all = [data, ...(readdirSync(data, { recursive: true }) as string[]).map((name) => join(data, name))];
    for (const path of all) {
      if (unprivileged.uid !== undefined) chownSync(path, unprivileged.uid, unprivileged.uid);
      chmodSync(path, path.endsWith('readmodels') || path === data ? 0o500 : 0o400);
    }
    if (unprivileged.uid !== undefined) chmodSync(join(data, '..'), 0o755);
    before = readFileSync(join(data, 'ledger.db'));
  });
  afterAll(() => {
    chmodSync(data, 0o700);
    chmodSync(join(data, 'readmodels'), 0o700);
  });

  it.each([
    { what: 'a call', args: ['call', 'roll_dice', '{"notation":"d6"}'] },
    { what: 'serve', args: ['serve'] },
    { what: 'a rebuild', args: ['projections', 'rebuild', '--all'] },
  ])('is named by $what, with what to do', async ({ args }) => {
    const { code, stdout, stderr } = await toolledger(data, args, unprivileged);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(data);
    expect(stderr).toMatch(/this user may write/);
    expect(stackTraceIn(stderr)).toBeNull();
  });

  it('is examined by doctor, which says what is wrong with it', async () => {
    const { code, document } = await toolledgerJson(data, ['doctor'], unprivileged);
    expect(code).toBe(1);
    expect(document).toMatchObject({ findings: expect.arrayContaining([{ check: 'data directory', state: 'problem', detail: expect.stringContaining('may not read and write') }]) });
  });

  it('cannot be read either without what only a writer can make, and that is said', async () => {
    for (const args of [['audit', 'search'], ['audit', 'show', callId], ['ledger', 'verify']]) {
      const { code, stdout, stderr } = await toolledger(data, args, unprivileged);
      expect([args, code, stdout]).toEqual([args, 1, '']);
      expect(stderr).toContain(`${join(data, 'ledger.db')} cannot be opened`);
      expect(stderr).toMatch(/this user may write to the directory/);
    }
  });

  it('is as it was before', () => {
    expect(readFileSync(join(data, 'ledger.db')).equals(before)).toBe(true);
  });
});

describe('a place where no data directory can be made', () => {
  it.each(['/proc/toolledger', '/dev/null/toolledger', '/dev/null'])('is named, with what to do: %s', async (place) => {
    const { code, stderr } = await toolledger(place, ['call', 'roll_dice', '{"notation":"d6"}'], unprivileged);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^toolledger: The data directory \/\S+ cannot be made \(\w+\)\. .*--data\.\n$/);
  });
});
