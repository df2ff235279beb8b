import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { foreignChanges, ownChanges } from '../../../../src/platform/sqlite/changeWatch.js';

describe('watching for changes', () => {
  let directory: string;
  let own: Database.Database;
  let other: Database.Database;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'toolledger-'));
    own = new Database(join(directory, 'some.db'));
    own.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT)');
    other = new Database(join(directory, 'some.db'));
  });
  afterEach(() => {
    own.close();
    other.close();
    rmSync(directory, { recursive: true });
  });

  const write = (db: Database.Database): unknown => db.prepare("INSERT INTO words VALUES ('word')").run();

  it('of one connection says nothing new as long as it writes nothing, and sees each change once', () => {
    const hasChanged = ownChanges(own);
    hasChanged();
    write(other);
    expect(hasChanged()).toBe(false);
    write(own);
    expect([hasChanged(), hasChanged()]).toEqual([true, false]);
  });

  it('of others says nothing new as long as they write nothing, and sees each change once', () => {
    const hasChanged = foreignChanges(own);
    hasChanged();
    write(own);
    expect(hasChanged()).toBe(false);
    write(other);
    expect([hasChanged(), hasChanged()]).toEqual([true, false]);
  });
});
