import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { changeWatch } from '../../../../src/platform/sqlite/changeWatch.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('watching a file for changes', () => {
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

  it('says nothing new as long as nothing is written', async () => {
    const hasChanged = changeWatch(own);
    hasChanged();
    expect(hasChanged()).toBe(false);
    await nextTurn();
    expect(hasChanged()).toBe(false);
  });

  it('sees its own changes at once, each once', () => {
    const hasChanged = changeWatch(own);
    hasChanged();
    write(own);
    expect([hasChanged(), hasChanged()]).toEqual([true, false]);
  });

  it('sees the changes of others at once, each once', () => {
    const hasChanged = changeWatch(own);
    hasChanged();
    write(other);
    expect([hasChanged(), hasChanged()]).toEqual([true, false]);
  });

  it('sees both kinds of changes side by side', async () => {
    const hasChanged = changeWatch(own);
    hasChanged();
    await nextTurn();
    write(other);
    write(own);
    expect(hasChanged()).toBe(true);
    await nextTurn();
    expect(hasChanged()).toBe(false);
  });
});
