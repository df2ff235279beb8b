import type { Database } from 'better-sqlite3';
import { callEventTypes, callIdOf, endingOf, factsOf, isCallStart, type CallEnding, type CallFacts, type CallStart } from '../callFacts.js';
import { termsOf } from '../callTerms.js';
import { droppedCalls, type DropOnRecord } from '../droppedCalls.js';
import type { Fold, ProjectedEvent, Projection } from '../projection.js';
import { statement } from '../readModel/statements.js';
import { PostingsWriter, postingsTable } from './postings.js';
import type { CallRow } from './queries.js';
import { addRefusalCount, dropRefusalCounts, refusalCountsIndexes, refusalCountsTable } from './refusalCounts.js';

/** A call with its place in the log: the ordinal of the event it begins with, so that every view gives the same. */
export type LoggedCall = CallRow & { readonly seq: number };

/**
 * Every tool call, one row each, and the refusals that were only counted. `unended` holds the calls that another event may still change; it stays small, so
 * that calls are found by id without an index over all of them.
 */
export const toolCallLog: Projection = {
  name: 'toolCallLog',
  version: 3,
  handles: [...callEventTypes, 'ToolCallRefusalsCounted', 'EventsDropped'],
  opensBoxes: false,
  onPoison: 'park',
  tables: `
    CREATE TABLE calls (
      seq INTEGER PRIMARY KEY, call_id TEXT NOT NULL, recorded_at INTEGER NOT NULL, ended_at INTEGER,
      workspace TEXT NOT NULL, channel TEXT, actor TEXT NOT NULL, door TEXT NOT NULL, on_behalf_of TEXT, turn TEXT,
      tool TEXT, server_id TEXT, server_name TEXT, outcome TEXT NOT NULL, reasons TEXT NOT NULL, duration_ms INTEGER) STRICT;
    CREATE TABLE unended (call_id TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    ${refusalCountsTable}
    ${postingsTable}`,
  indexes: refusalCountsIndexes,
  rows: [
    'SELECT * FROM calls ORDER BY seq',
    'SELECT * FROM unended ORDER BY call_id',
    'SELECT * FROM refusal_counts ORDER BY seq',
    'SELECT * FROM postings ORDER BY term, chunk',
  ],
  fold: (db) => new CallLogFold(db),
};

interface Pending {
  call: LoggedCall;
  /** As it is in the file, or null when it is not there yet. */
  readonly stored: LoggedCall | null;
}

class CallLogFold implements Fold {
  readonly #pending = new Map<string, Pending>();
  readonly #postings: PostingsWriter;

  constructor(private readonly db: Database) {
    this.#postings = new PostingsWriter(db);
  }

  apply(event: ProjectedEvent): void {
    if (event.type === 'EventsDropped') this.#drop(event.data);
    if (event.type === 'ToolCallRefusalsCounted') addRefusalCount(this.db, event);
    if (!isCallEvent(event)) return;
    const callId = callIdOf(event);
    if (isCallStart(event)) {
      this.#pending.set(callId, { call: startedCall(callId, event), stored: null });
      return;
    }
    const pending = this.#pending.get(callId) ?? this.#load(callId);
    if (pending === null) throw new Error(`Call ${callId} is not in the log, or has ended`);
    pending.call = endedCall(pending.call, event);
    this.#pending.set(callId, pending);
  }

  flush(): void {
    for (const { call, stored } of this.#pending.values()) {
      this.#writeRow(call, stored);
      this.#writePostings(call, stored);
    }
    this.#postings.flush();
    this.#pending.clear();
  }

  #drop(drop: DropOnRecord): void {
    this.flush();
    dropRefusalCounts(this.db, drop);
    for (const seq of droppedCalls(drop, (from, to) => statement<[number, number], number>(this.db, 'SELECT seq FROM calls WHERE seq BETWEEN ? AND ?').pluck().all(from, to))) {
      const call = readCall(this.db, seq);
      if (call === undefined) continue;
      for (const term of termsOf(call)) this.#postings.set(term, seq, false);
      statement(this.db, 'DELETE FROM calls WHERE seq = ?').run(seq);
      // Open here when the ending was dropped before this view had seen it.
      statement(this.db, 'DELETE FROM unended WHERE call_id = ?').run(call.callId);
    }
    this.#postings.flush();
  }

  #load(callId: string): Pending | null {
    const seq = statement<[string], number>(this.db, 'SELECT seq FROM unended WHERE call_id = ?').pluck().get(callId);
    const row = seq === undefined ? undefined : readCall(this.db, seq);
    if (seq === undefined || row === undefined) return null;
    const call = { seq, ...row };
    return { call, stored: call };
  }

  #writeRow(call: LoggedCall, stored: LoggedCall | null): void {
    if (stored === null) insertCall(this.db, call);
    else {
      statement(this.db, 'UPDATE calls SET ended_at = ?, outcome = ?, reasons = ?, duration_ms = ? WHERE seq = ?').run(
        call.endedAt, call.outcome, JSON.stringify(call.reasons), call.durationMs, call.seq,
      );
    }
    const mayChange = call.outcome === 'open' || call.outcome === 'unknown';
    if (mayChange && stored === null) statement(this.db, 'INSERT INTO unended VALUES (?, ?)').run(call.callId, call.seq);
    if (!mayChange && stored !== null) statement(this.db, 'DELETE FROM unended WHERE call_id = ?').run(call.callId);
  }

  #writePostings(call: LoggedCall, stored: LoggedCall | null): void {
    const before = new Set(stored === null ? [] : termsOf(stored));
    for (const term of termsOf(call)) if (!before.delete(term)) this.#postings.set(term, call.seq, true);
    for (const term of before) this.#postings.set(term, call.seq, false);
  }
}

type CallEvent = CallStart | CallEnding;

function isCallEvent(event: ProjectedEvent): event is ProjectedEvent & CallEvent {
  return (callEventTypes as readonly string[]).includes(event.type);
}

function startedCall(callId: string, event: CallStart): LoggedCall {
  const { envelope } = event;
  const facts: CallFacts = factsOf(event);
  return {
    seq: event.ordinal,
    callId,
    recordedAt: envelope.recordedAt,
    endedAt: facts.outcome === 'open' ? null : envelope.recordedAt,
    door: envelope.door,
    turn: envelope.correlation,
    durationMs: null,
    ...facts,
  };
}

function endedCall(call: LoggedCall, event: CallEnding): LoggedCall {
  const { outcome, reasons } = endingOf(event);
  return {
    ...call,
    outcome,
    reasons: [...call.reasons, ...reasons],
    endedAt: call.endedAt ?? event.envelope.recordedAt,
    durationMs: event.type === 'ToolCallOutcomeSettled' ? call.durationMs : event.data.durationMs,
  };
}

function insertCall(db: Database, call: LoggedCall): void {
  statement(db, 'INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
    call.seq, call.callId, call.recordedAt, call.endedAt, call.workspace, call.channel, call.actor, call.door,
    call.onBehalfOf, call.turn, call.tool, call.serverId, call.serverName, call.outcome, JSON.stringify(call.reasons), call.durationMs,
  );
}

type StoredRow = Omit<CallRow, 'reasons'> & { readonly reasons: string };

/** The call at a place of the log. */
export function readCall(db: Database, seq: number): CallRow | undefined {
  const row = statement<[number], StoredRow>(
    db,
    `SELECT call_id AS callId, recorded_at AS recordedAt, ended_at AS endedAt, workspace, channel, actor, door,
       on_behalf_of AS onBehalfOf, turn, tool, server_id AS serverId, server_name AS serverName, outcome, reasons,
       duration_ms AS durationMs FROM calls WHERE seq = ?`,
  ).get(seq);
  return row === undefined ? undefined : { ...row, reasons: JSON.parse(row.reasons) as string[] };
}
