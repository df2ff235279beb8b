import type { Database } from 'better-sqlite3';
import { callEventTypes, callIdOf, endingOf, factsOf, isCallStart, type CallEnding, type CallStart } from '../callFacts.js';
import { droppedCalls, type DropOnRecord } from '../droppedCalls.js';
import type { Fold, OpenedBoxes, ProjectedEvent, Projection } from '../projection.js';
import { statement } from '../readModel/statements.js';
import { erasedPeople, erasedTable, erasePerson } from './erasedPeople.js';
import { wordsOf } from './eventText.js';
import { endedTokens, filterTokens } from './filterTokens.js';
import { withSection } from './sections.js';
import { noteUnswept, sweep, unsweptTable } from './sweep.js';

// Without FTS5's secure-delete: together with detail = none it damages the index (SQLite 3.53.2). What is erased is swept out.
const index = (table: string): string => `
  CREATE VIRTUAL TABLE ${table} USING fts5(text, filters, tokenize = 'ascii', detail = none, columnsize = 0);
  CREATE VIRTUAL TABLE ${table}_words USING fts5vocab(${table}, 'instance');`;

const tables = ['ended', 'running'] as const;

/**
 * The words of every call together with its filter values, in one full-text index, so that words and filters are
 * answered by one match. The row id is the call's place in the log. Calls still running lie in an index of their own
 * and move over when they end: a row of the large index is written once, except when an unknown outcome is settled or
 * somebody is erased. Their words are in it until then and never again afterwards, whether or not their key is found.
 */
export const callText: Projection = {
  name: 'callText',
  version: 2,
  handles: [...callEventTypes, 'SubjectErased', 'EventsDropped'],
  opensBoxes: true,
  onPoison: 'park',
  tables: `
    ${tables.map(index).join('')}
    CREATE TABLE unended (call_id TEXT PRIMARY KEY, seq INTEGER NOT NULL, place TEXT NOT NULL CHECK (place IN ('running', 'ended')))
      STRICT, WITHOUT ROWID;
    ${erasedTable}
    ${unsweptTable}`,
  indexes: '',
  rows: [
    'SELECT rowid, text, filters FROM ended ORDER BY rowid',
    'SELECT rowid, text, filters FROM running ORDER BY rowid',
    'SELECT * FROM unended ORDER BY call_id',
    'SELECT subject FROM erased ORDER BY subject',
  ],
  sweep: (db) => sweep(db, tables),
  fold: (db) => new CallTextFold(db),
};

type Place = 'running' | 'ended';

interface Pending {
  readonly seq: number;
  text: string;
  filters: string;
  outcome: string;
  /** Where its row is in the file, or null when there is none yet. */
  readonly stored: Place | null;
}

class CallTextFold implements Fold {
  readonly #pending = new Map<string, Pending>();

  readonly #erased: Set<string>;

  constructor(private readonly db: Database) {
    this.#erased = erasedPeople(db);
  }

  apply(event: ProjectedEvent, boxes: OpenedBoxes): void {
    if (event.type === 'SubjectErased') {
      this.#erase(event.data.subject);
      return;
    }
    if (event.type === 'EventsDropped') {
      this.#drop(event.data);
      return;
    }
    const call = event as ProjectedEvent & (CallStart | CallEnding);
    const callId = callIdOf(event);
    const { clear, personal } = wordsOf(call, boxes);
    const text = (before: string): string =>
      personal.reduce((whole, [subject, words]) => (this.#erased.has(subject) ? whole : withSection(whole, subject, words)), before);
    if (isCallStart(call)) {
      const facts = factsOf(call);
      this.#pending.set(callId, { seq: event.ordinal, text: text(clear), filters: filterTokens(facts), outcome: facts.outcome, stored: null });
      return;
    }
    const pending = this.#pending.get(callId) ?? this.#load(callId);
    if (pending === null) throw new Error(`Call ${callId} is not in the text index, or has ended`);
    const ending = endingOf(call);
    pending.text = text(pending.text);
    pending.filters = endedTokens(pending.filters, ending);
    pending.outcome = ending.outcome;
    this.#pending.set(callId, pending);
  }

  flush(): void {
    for (const [callId, pending] of this.#pending) this.#write(callId, pending);
    this.#pending.clear();
  }

  #drop(drop: DropOnRecord): void {
    this.flush();
    // In both indexes: a call runs here when its ending was dropped before this view had seen it.
    for (const table of tables) {
      const rows = statement<[number, number], number>(this.db, `SELECT rowid FROM ${table} WHERE rowid BETWEEN ? AND ?`).pluck();
      for (const seq of droppedCalls(drop, (from, to) => rows.all(from, to))) statement(this.db, `DELETE FROM ${table} WHERE rowid = ?`).run(seq);
    }
    const unended = statement<[number, number], number>(this.db, 'SELECT seq FROM unended WHERE seq BETWEEN ? AND ?').pluck();
    for (const seq of droppedCalls(drop, (from, to) => unended.all(from, to))) statement(this.db, 'DELETE FROM unended WHERE seq = ?').run(seq);
    noteUnswept(this.db);
  }

  #erase(subject: string): void {
    this.flush();
    erasePerson(this.db, tables, subject);
    this.#erased.add(subject);
  }

  #load(callId: string): Pending | null {
    const known = statement<[string], { seq: number; place: Place }>(this.db, 'SELECT seq, place FROM unended WHERE call_id = ?').get(callId);
    if (known === undefined) return null;
    const row = statement<[number], { text: string; filters: string }>(
      this.db,
      `SELECT text, filters FROM ${known.place} WHERE rowid = ?`,
    ).get(known.seq);
    return row === undefined ? null : { seq: known.seq, ...row, outcome: 'unknown', stored: known.place };
  }

  #write(callId: string, { seq, text, filters, outcome, stored }: Pending): void {
    const place: Place = outcome === 'open' ? 'running' : 'ended';
    if (stored === place) {
      statement(this.db, `UPDATE ${place} SET text = ?, filters = ? WHERE rowid = ?`).run(text, filters, seq);
    } else {
      if (stored !== null) statement(this.db, `DELETE FROM ${stored} WHERE rowid = ?`).run(seq);
      statement(this.db, `INSERT INTO ${place} (rowid, text, filters) VALUES (?, ?, ?)`).run(seq, text, filters);
    }
    if (outcome === 'open' || outcome === 'unknown') {
      statement(this.db, 'INSERT OR REPLACE INTO unended VALUES (?, ?, ?)').run(callId, seq, place);
    } else if (stored !== null) {
      statement(this.db, 'DELETE FROM unended WHERE call_id = ?').run(callId);
    }
  }
}
