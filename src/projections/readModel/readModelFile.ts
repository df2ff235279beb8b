import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Fault } from '../../platform/fault.js';
import { syncPath } from '../../platform/files/durableFile.js';
import { openDatabase, type DatabaseFormat } from '../../platform/sqlite/openDatabase.js';
import { removeDatabase } from '../../platform/sqlite/replaceDatabase.js';
import { sqliteCode } from '../../platform/sqlite/sqliteFault.js';
import { checkpointTable, initialCheckpoint, storedCheckpoint } from './checkpoint.js';
import { parkedTable } from './parkedEvents.js';
import type { Projection } from '../projection.js';

/** "tlrm": a toolledger read model. */
const applicationId = 0x746c726d;
const fileName = /^([A-Za-z]+)@([0-9]+)\.db(\.tmp)?(-wal|-shm|-journal)?$/;

/** Tells of something done to a file that whoever runs the program should know. */
export type Note = (note: { readonly message: string; readonly view: string; readonly file: string }) => void;

export function readModelPath(directory: string, projection: Pick<Projection, 'name' | 'version'>): string {
  return join(directory, `${projection.name}@${projection.version}.db`);
}

/** A projection's file as a rebuild fills it. */
export function temporaryPath(directory: string, projection: Pick<Projection, 'name' | 'version'>): string {
  return `${readModelPath(directory, projection)}.tmp`;
}

function formatOf(projection: Projection): DatabaseFormat {
  return { applicationId, migrations: [`${tablesOf(projection)}${projection.indexes}`] };
}

function tablesOf({ name, version, tables }: Projection): string {
  return `${checkpointTable}${parkedTable}${initialCheckpoint(name, version)}${tables}`;
}

/**
 * Opens a read model for folding, and makes it when it is missing. What cannot be a read model of this projection is
 * thrown away: it can be made again.
 * @throws Fault `cannot_open` when the directory or file cannot be written
 */
export function openReadModel(directory: string, projection: Projection, note: Note): Database.Database {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = readModelPath(directory, projection);
  try {
    return openOwn(file, projection);
  } catch (error) {
    if (!isUseless(error)) throw error;
    note({ message: `read model discarded, it will be built again: ${(error as Error).message}`, view: projection.name, file });
    removeDatabase(file);
    return openOwn(file, projection);
  }
}

/** Opens a read model for queries only. @throws Fault `cannot_open` and the other codes of `openDatabase` */
export function openForReading(directory: string, projection: Projection): Database.Database {
  return openDatabase(readModelPath(directory, projection), 'reader', formatOf(projection));
}

/**
 * Makes an empty read model that is filled without a thought to crashes, for a rebuild: it counts for nothing until
 * `putInPlace`. Secondary indexes are still missing.
 */
export function openTemporary(directory: string, projection: Projection): Database.Database {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = temporaryPath(directory, projection);
  removeDatabase(file);
  closeSync(openSync(file, 'wx', 0o600));
  const db = new Database(file);
  // A journal in memory, not none: an event that cannot be folded is still rolled back.
  for (const pragma of ['journal_mode = MEMORY', 'synchronous = OFF', 'locking_mode = EXCLUSIVE', 'cache_size = -16384']) db.pragma(pragma);
  db.exec(tablesOf(projection));
  db.pragma(`application_id = ${applicationId}`);
  db.pragma('user_version = 1');
  return db;
}

/** Makes a closed temporary file the read model. Nobody may have the old one open for writing. */
export function putInPlace(directory: string, projection: Pick<Projection, 'name' | 'version'>): void {
  const file = readModelPath(directory, projection);
  const temporary = temporaryPath(directory, projection);
  syncPath(temporary);
  // A write-ahead log of the old file would be taken for one of the new file.
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  renameSync(temporary, file);
  syncPath(directory);
}

/** A read model file that lies in the directory. */
export interface FoundReadModel {
  readonly file: string;
  readonly name: string;
  readonly version: number;
  readonly temporary: boolean;
}

/** All read models in a directory, finished or not; none when there is no such directory. */
export function findReadModels(directory: string): readonly FoundReadModel[] {
  const found = new Map<string, FoundReadModel>();
  for (const entry of entriesOf(directory)) {
    const [, name, version, temporary] = fileName.exec(entry) ?? [];
    if (name === undefined || version === undefined) continue;
    const file = join(directory, `${name}@${version}.db${temporary ?? ''}`);
    found.set(file, { file, name, version: Number(version), temporary: temporary !== undefined });
  }
  return [...found.values()];
}

/** Whether an error says that a file is of no use as a read model. */
export function isUseless(error: unknown): boolean {
  if (error instanceof Fault) return ['foreign_file', 'corrupt', 'newer_schema'].includes(error.code);
  const code = sqliteCode(error);
  return code !== null && (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB');
}

function openOwn(file: string, projection: Projection): Database.Database {
  const db = openDatabase(file, 'disposable', formatOf(projection));
  try {
    const stored = storedCheckpoint(db);
    if (stored?.projection === projection.name && stored.version === projection.version) return db;
  } catch (error) {
    db.close();
    throw new Fault('failed', 'corrupt', `${file} has no checkpoint that can be read (${(error as Error).message})`);
  }
  db.close();
  throw new Fault('failed', 'foreign_file', `${file} is not the read model ${projection.name}@${projection.version}`);
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
