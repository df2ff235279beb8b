import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { acquireOwner, type OwnerOptions, type Ownership } from '../../../src/owner/lock.js';
import { ownerProcess, type OwnerProcess } from '../../support/owner/ownerProcess.js';

// Starting processes is slow on a busy machine.
jest.setTimeout(60_000);

let directory: string;
let held: OwnerProcess[];
let owned: Extract<Ownership, { kind: 'owned' }>[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'owner-'));
  held = [];
  owned = [];
});
afterEach(async () => {
  for (const each of owned) each.release();
  await Promise.all(held.map((each) => each.kill()));
  rmSync(directory, { recursive: true, force: true });
});

let lastId = 0;
const options = (command: string): OwnerOptions => ({ command, socket: null, pid: process.pid, clock: { now: () => 5_000 }, newId: () => String(++lastId) });

function acquire(command = 'test'): Ownership {
  const ownership = acquireOwner(directory, options(command));
  if (ownership.kind === 'owned') owned.push(ownership);
  return ownership;
}

async function hold(command: string, socket?: string): Promise<OwnerProcess> {
  const holder = await ownerProcess(directory, command, socket);
  held.push(holder);
  return holder;
}

describe('owning a data directory', () => {
  it('notices when the lock file is removed or replaced', () => {
    const ownership = acquire();
    if (ownership.kind !== 'owned') throw new Error('nobody else is here');
    expect(ownership.isHeld()).toBe(true);
    rmSync(join(directory, 'owner.lock'));
    expect(ownership.isHeld()).toBe(false);
    writeFileSync(join(directory, 'owner.lock'), '');
    expect(ownership.isHeld()).toBe(false);
  });

  it('is for one process: another learns who it is, since when, and where its socket lies', async () => {
    const serve = await hold('serve', '/somewhere/owner.sock');
    expect(serve.kind).toBe('owned');
    expect(acquire()).toEqual({
      kind: 'busy',
      owner: { pid: serve.pid, command: 'serve', since: 1_700_000_000_000, socket: '/somewhere/owner.sock' },
    });
  });

  it('is for one part of a process only', () => {
    expect(acquire('first').kind).toBe('owned');
    expect(acquire('second')).toMatchObject({ kind: 'busy', owner: { command: 'first', pid: process.pid } });
  });

  it('is seen by other processes while this one tries in vain again and again', async () => {
    acquire('first');
    for (let turn = 0; turn < 3; turn++) expect(acquire('again').kind).toBe('busy');
    expect(await hold('other')).toMatchObject({ kind: 'busy', owner: { command: 'first' } });
  });

  it('ends when it is let go', async () => {
    const first = await hold('first');
    await first.release();
    expect(acquire().kind).toBe('owned');
  });

  it('ends when the process is killed, and the file left behind is no obstacle', async () => {
    const first = await hold('first');
    await first.kill();
    expect(acquire('second').kind).toBe('owned');
    expect(await hold('third')).toMatchObject({ kind: 'busy', owner: { command: 'second' } });
  });

  it('goes to exactly one of several that start at once', async () => {
    const all = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((command) => hold(command)));
    const winners = all.filter((each) => each.kind === 'owned');
    expect(winners).toHaveLength(1);
    expect(acquire()).toMatchObject({ kind: 'busy', owner: { pid: winners[0]?.pid } });
  });

  it('is never had by two, however they contend', async () => {
    const contend = fileURLToPath(new URL('../../support/owner/contend.mjs', import.meta.url));
    const runs = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, [contend, directory, '40'])));
    expect(runs.map(({ stdout }) => JSON.parse(stdout) as unknown)).toEqual(Array(3).fill({ owned: 40, together: 0 }));
  });
});

describe('a lock file that cannot be used', () => {
  it('is named when it is something else', () => {
    writeFileSync(join(directory, 'owner.lock'), 'not a database, and long enough to be sure of it'.repeat(50));
    expect(() => acquire()).toThrow(expect.objectContaining({ code: 'cannot_own', message: expect.stringContaining('not a lock file') as unknown }));
  });

  it('is named when its directory is missing', () => {
    expect(() => acquireOwner(join(directory, 'missing'), options('test'))).toThrow(expect.objectContaining({ code: 'cannot_own' }));
  });

  it('is named when this user may not write to its directory', () => {
    chmodSync(directory, 0o555);
    const user = process.geteuid?.();
    // Mode bits do not hold root.
    if (user === 0) process.seteuid?.(65_534);
    try {
      expect(() => acquire()).toThrow(expect.objectContaining({ code: 'cannot_own' }));
    } finally {
      if (user === 0) process.seteuid?.(0);
    }
  });

  it('may be empty', () => {
    writeFileSync(join(directory, 'owner.lock'), '');
    expect(acquire().kind).toBe('owned');
  });

  it('shows the name of the owner while somebody reads it for long', () => {
    acquire('first');
    const reader = new Database(join(directory, 'owner.lock'), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM owner').get();
    expect(acquire('second')).toMatchObject({ kind: 'busy', owner: { command: 'first' } });
    reader.close();
  });
});
