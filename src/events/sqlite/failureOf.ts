import { Fault } from '../../platform/fault.js';
import { sqliteCode } from '../../platform/sqlite/sqliteFault.js';
import type { EventStore } from '../eventStore.js';
import { EventStoreError, type StoreFailure } from '../storeError.js';

/** Why a store stopped taking appends. */
export type Breakage = Extract<StoreFailure, { readonly code: 'read_only' }>;

/** What an error while opening the ledger means. */
export function openFailure(error: unknown, file: string): StoreFailure {
  if (error instanceof EventStoreError) return error.failure;
  const detail = error instanceof Fault && typeof error.details['detail'] === 'string' ? error.details['detail'] : saidBy(error);
  if (!(error instanceof Fault)) return { code: 'cannot_open', file, detail };
  switch (error.code) {
    case 'newer_schema':
      return { code: 'newer_schema', file, found: Number(error.details['found']), known: Number(error.details['known']) };
    case 'foreign_file':
      return { code: 'foreign_file', file, detail };
    case 'corrupt':
      return { code: 'corrupt', detail, position: null };
    default:
      return { code: 'cannot_open', file, detail };
  }
}

/** What an error while reading means. */
export function readFailure(error: unknown): StoreFailure {
  if (error instanceof EventStoreError) return error.failure;
  return isDamage(sqliteCode(error))
    ? { code: 'corrupt', detail: saidBy(error), position: null }
    : { code: 'unavailable', detail: saidBy(error) };
}

/** What an error that stops the writer means; anything that is neither a full disk nor damage counts as I/O. */
export function breakageOf(error: unknown): Breakage {
  const code = sqliteCode(error);
  const cause = code === 'SQLITE_FULL' ? 'disk_full' : isDamage(code) ? 'corrupt' : 'io_error';
  return { code: 'read_only', cause, detail: saidBy(error) };
}

/** What `EventStore.writable` answers after a breakage. */
export function notWritable(breakage: Breakage): ReturnType<EventStore['writable']> {
  return { ok: false, cause: breakage.cause, detail: breakage.detail };
}

/** The words of an error, with SQLite's name for it. */
export function saidBy(error: unknown): string {
  const code = sqliteCode(error);
  const message = error instanceof Error ? error.message : String(error);
  return code === null ? message : `${message} (${code})`;
}

function isDamage(code: string | null): boolean {
  return code !== null && (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB');
}
