import type { Database } from 'better-sqlite3';
import { statement } from '../readModel/statements.js';
import { readCall } from './projection.js';
import type { CallRow } from './queries.js';
import { placeAt } from './stretch.js';

/** How many events around a time are looked through: a turn takes minutes, and an index would cost every call. */
const lookAround = 20_000;
/** Most calls that are listed. */
const mostCalls = 100;

/** The calls of a turn around a time, oldest first. */
export function callsOfTurn(log: Database, { workspace, turn, around }: { readonly workspace: string; readonly turn: string; readonly around: number }): readonly CallRow[] {
  const middle = placeAt(log, around);
  return statement<[number, number, string, string, number], number>(
    log,
    'SELECT seq FROM calls WHERE seq BETWEEN ? AND ? AND turn = ? AND workspace = ? ORDER BY seq LIMIT ?',
  )
    .pluck()
    .all(middle - lookAround, middle + lookAround, turn, workspace, mostCalls)
    .flatMap((seq) => readCall(log, seq) ?? []);
}
