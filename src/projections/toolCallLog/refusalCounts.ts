import type { Database } from 'better-sqlite3';
import type { ToolRefusalsEvent } from '../../events/catalogue/toolCall.js';
import type { DropOnRecord } from '../droppedCalls.js';
import type { ProjectedEvent } from '../projection.js';
import { statement } from '../readModel/statements.js';
import type { CallConditions, CountedRefusals } from './queries.js';

/** Most counts that are looked at for one question, so that its cost does not grow with the ledger. */
const mostCounts = 5_000;

/** Refusals of one caller in a minute that were too many to be recorded singly; by the ordinal of their event. */
export const refusalCountsTable = `
  CREATE TABLE refusal_counts (
    seq INTEGER PRIMARY KEY, recorded_at INTEGER NOT NULL, workspace TEXT NOT NULL, caller TEXT NOT NULL, counts TEXT NOT NULL, total INTEGER NOT NULL) STRICT;`;

export const refusalCountsIndexes = `
  CREATE INDEX refusal_counts_by_time ON refusal_counts (recorded_at);
  CREATE INDEX refusal_counts_by_workspace ON refusal_counts (workspace, recorded_at);
  CREATE INDEX refusal_counts_by_caller ON refusal_counts (caller, recorded_at);`;

export function addRefusalCount(db: Database, { ordinal, envelope, data }: ProjectedEvent & ToolRefusalsEvent): void {
  statement(db, 'INSERT INTO refusal_counts VALUES (?, ?, ?, ?, ?, ?)').run(
    ordinal, envelope.recordedAt, envelope.workspace, data.caller, JSON.stringify(data.counts), data.total,
  );
}

/** Each count is a unit of its own, so what goes is what lies between and is not said to stay. */
export function dropRefusalCounts(db: Database, { category, from, to, kept }: DropOnRecord): void {
  if (category !== 'toolRefusals') return;
  statement(db, 'DELETE FROM refusal_counts WHERE seq BETWEEN ? AND ? AND seq NOT IN (SELECT value FROM json_each(?))').run(from, to, JSON.stringify(kept));
}

/**
 * How many refusals that were only counted a filter would find, were they calls.
 * @param most how many counts are looked at, the newest first
 * @returns null where only a call can match: a count says nothing of tools, servers, channels or words
 */
export function countedRefusals(db: Database, filter: CallConditions, most = mostCounts): CountedRefusals | null {
  const ofCallsOnly = [filter.tool, filter.server, filter.channel, filter.text].some((condition) => condition !== undefined);
  if (ofCallsOnly || (filter.outcome !== undefined && filter.outcome !== 'refused')) return null;
  const { workspace, subject, reason } = filter;
  const rows = newestCounts(db, filter, most + 1);
  const looked = rows.slice(0, most).filter((row) => (workspace ?? row.workspace) === row.workspace && (subject ?? row.caller) === row.caller);
  const total = looked.reduce((sum, row) => sum + (reason === undefined ? row.total : (new Map(Object.entries(JSON.parse(row.counts) as Record<string, number>)).get(reason) ?? 0)), 0);
  return { total, complete: rows.length <= most };
}

interface StoredCount {
  readonly workspace: string;
  readonly caller: string;
  readonly counts: string;
  readonly total: number;
}

/** By the condition that leaves fewest. */
function newestCounts(db: Database, { since, until, workspace, subject }: CallConditions, limit: number): readonly StoredCount[] {
  const [column, value] = subject !== undefined ? ['caller', subject] : workspace !== undefined ? ['workspace', workspace] : [null, null];
  return statement<unknown[], StoredCount>(
    db,
    `SELECT workspace, caller, counts, total FROM refusal_counts
     WHERE ${column === null ? '' : `${column} = ? AND `}recorded_at >= ? AND recorded_at < ? ORDER BY recorded_at DESC LIMIT ?`,
  ).all(...(value === null ? [] : [value]), since ?? 0, until ?? Number.MAX_SAFE_INTEGER, limit);
}
