import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { Fault } from '../../../../src/platform/fault.js';
import { openDatabase, type DatabaseFormat } from '../../../../src/platform/sqlite/openDatabase.js';

const v1: DatabaseFormat = { applicationId: 7001, migrations: ['CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)'] };
const v2: DatabaseFormat = { applicationId: 7001, migrations: [...v1.migrations, 'ALTER TABLE a ADD COLUMN y TEXT'] };

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tl-open-'));
  file = join(dir, 'some.db');
});
afterEach(() => rmSync(dir, { recursive: true }));

function refusal(open: () => unknown): Fault {
  try {
    open();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('it was opened');
}

describe('openDatabase', () => {
  it('makes a missing file that only its owner can read, durable on every commit for a writer', () => {
    const db = openDatabase(file, 'writer', v1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('recursive_triggers', { simple: true })).toBe(1);
    expect(db.pragma('trusted_schema', { simple: true })).toBe(0);
    expect(db.pragma('application_id', { simple: true })).toBe(7001);
    db.close();
  });

  it('gives up waiting for the disk where data can be made again', () => {
    const db = openDatabase(file, 'disposable', v1);
    expect(db.pragma('synchronous', { simple: true })).toBe(1);
    db.close();
  });

  it('brings an older file up to date and keeps its rows', () => {
    openDatabase(file, 'writer', v1).close();
    const db = openDatabase(file, 'writer', v2);
    expect(db.prepare('SELECT x, y FROM a').all()).toEqual([{ x: 1, y: null }]);
    expect(db.pragma('user_version', { simple: true })).toBe(2);
    db.close();
  });

  it('leaves a file at its version when a step fails', () => {
    openDatabase(file, 'writer', v1).close();
    const broken = { ...v2, migrations: [...v2.migrations, 'ALTER TABLE missing ADD COLUMN z TEXT'] };
    expect(refusal(() => openDatabase(file, 'writer', broken)).code).toBe('cannot_open');
    const db = openDatabase(file, 'reader', v1);
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    db.close();
  });

  it('lets a reader read beside the writer and write nothing', () => {
    const writer = openDatabase(file, 'writer', v1);
    const reader = openDatabase(file, 'reader', v1);
    writer.exec('INSERT INTO a VALUES (2)');
    expect(reader.prepare('SELECT count(*) FROM a').pluck().get()).toBe(2);
    expect(() => reader.exec('INSERT INTO a VALUES (3)')).toThrow(/readonly/);
    reader.close();
    writer.close();
  });

  it('refuses a reader a file that is missing, empty or of an older version, and says what to do', () => {
    expect(refusal(() => openDatabase(file, 'reader', v1)).message).toContain('run a command that writes');
    expect(existsSync(file)).toBe(false);
    openDatabase(file, 'writer', v1).close();
    expect(refusal(() => openDatabase(file, 'reader', v2)).message).toContain('schema version 1');
  });

  it('refuses a newer file and leaves every byte, also of a write-ahead log that was never folded in', () => {
    const crashed = join(dir, 'crashed.db');
    openDatabase(file, 'writer', v1).close();
    const db = openDatabase(file, 'writer', v2);
    copyFileSync(file, crashed);
    copyFileSync(`${file}-wal`, `${crashed}-wal`);
    db.close();
    const before = [readFileSync(crashed), readFileSync(`${crashed}-wal`)];
    for (const role of ['writer', 'reader', 'disposable'] as const) {
      const fault = refusal(() => openDatabase(crashed, role, v1));
      expect(fault).toMatchObject({ code: 'newer_schema', details: { file: crashed, found: 2, known: 1 } });
    }
    expect([readFileSync(crashed), readFileSync(`${crashed}-wal`)]).toEqual(before);
  });

  it.each<[string, (at: string) => void]>([
    ['text', (at) => writeFileSync(at, 'not a database at all, but long enough to be taken for one'.repeat(20))],
    ['another program\'s database', (at) => new Database(at).exec('PRAGMA application_id = 99; CREATE TABLE t (x)').close()],
    ['a database of nobody\'s format that holds tables', (at) => new Database(at).exec('CREATE TABLE t (x)').close()],
  ])('refuses %s and leaves every byte', (_, make) => {
    make(file);
    const before = readFileSync(file);
    expect(refusal(() => openDatabase(file, 'writer', v1)).code).toBe('foreign_file');
    expect(readFileSync(file)).toEqual(before);
  });

  it('says that the directory is missing', () => {
    const fault = refusal(() => openDatabase(join(dir, 'no', 'such.db'), 'writer', v1));
    expect(fault.code).toBe('cannot_open');
    expect(fault.message).toContain(join(dir, 'no'));
  });

  it('says that the path is a directory', () => {
    mkdirSync(file);
    expect(refusal(() => openDatabase(file, 'writer', v1)).code).toBe('cannot_open');
  });
});
