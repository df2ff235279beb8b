import { hash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { canonicalHeader, contentHash, leafInput } from '../../leaf.js';
import { saidBy } from '../failureOf.js';
import { type EventRow, eventOfRow, isStub, rowColumns } from '../reading/row.js';
import { checkBeginning, TreeCheck, type SealedTree } from './checkTree.js';
import type { Damage, LedgerReport } from './damage.js';
import { droppedRows } from './droppedRows.js';
import { streamOrder } from './streamOrder.js';

const rowsAtOnce = 64;
const rowsBetweenReports = 1024;
const rememberedStreams = 20_000;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Nonce and tag of an empty box, in base64 characters. */
const shortestBox = 40;
/** One box whose subject needs no escapes in JSON: what nearly every event with boxes has. */
const oneBox = /^\[\["([^"\\\p{Cc}]+)","([A-Za-z0-9+/]+={0,2})"\]\]$/u;

/**
 * Reads every event that is there at the start, in order, and computes again what its leaf must be. Also checked: no
 * position and no revision missing, every event later than the one before it in its stream, recordedAt never
 * decreasing, ids and boxes of the right form. Of a stub, whose leaf nobody can compute any more, that a drop is on record:
 * that its leaf is the right one, only the tree can say. Memory does not grow with the ledger.
 * @param report told how far it is, about every thousand events
 * @param sealed what was signed of it; by default nothing is known
 */
export function checkRows(db: Database.Database, report: (done: number, total: number) => void, sealed?: SealedTree): LedgerReport {
  const next = db
    .prepare<[after: number, upTo: number, limit: number], EventRow>(
      `SELECT ${rowColumns} FROM events WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`,
    )
    .raw();
  const follows = streamOrder(db, rememberedStreams);
  const wasDropped = droppedRows(db);
  const beginning = sealed === undefined ? null : checkBeginning(sealed);
  if (beginning !== null) return { events: 0, damage: beginning };
  const tree = sealed === undefined ? null : new TreeCheck(sealed);
  let done = sealed?.from ?? 0;
  let recordedAt = done === 0 ? 0 : (db.prepare<[number], number>('SELECT recorded_at FROM events WHERE position = ?').pluck().get(done) ?? 0);
  try {
    const total = db.prepare<[], number>('SELECT ifnull(max(position), 0) FROM events').pluck().get() ?? 0;
    while (done < total) {
      const rows = next.all(done, total, rowsAtOnce);
      if (rows.length === 0) return found(done, 'missing', 'the events from here to the head are missing');
      for (const row of rows) {
        const damage = damageOf(row, done + 1, recordedAt, follows, wasDropped);
        if (damage !== null) return found(done, ...damage);
        const input = isStub(row) ? null : leafInputOf(row);
        if (input !== null && hash('sha256', input, 'hex') !== row[17]) return found(done, 'leaf', 'the event is not what its leaf was computed from');
        const unsigned = tree?.add(row[17], input?.subarray(1) ?? null);
        if (unsigned) return { events: Number(unsigned.position) - 1, damage: unsigned };
        done += 1;
        recordedAt = row[7];
        if (done % rowsBetweenReports === 0) report(done, total);
      }
    }
    report(done, total);
    return { events: done, damage: tree?.finish() ?? null };
  } catch (error) {
    return found(done, 'unreadable', saidBy(error));
  }
}

function found(done: number, kind: Damage['kind'], detail: string): LedgerReport {
  return { events: done, damage: { position: String(done + 1), kind, detail } };
}

function damageOf(
  row: EventRow,
  position: number,
  recordedAtBefore: number,
  follows: ReturnType<typeof streamOrder>,
  wasDropped: ReturnType<typeof droppedRows>,
): [Damage['kind'], string] | null {
  if (row[0] !== position) return ['missing', `the event is missing; ${row[0]} is the next one there`];
  if (row[1].length !== 32) return ['id', 'the event id does not have 16 bytes'];
  if (!follows(row[2], row[3], position)) return ['revision', `revision ${row[3]} does not follow revision ${row[3] - 1} of stream ${row[2]}`];
  if (row[7] < recordedAtBefore) return ['recorded_at', `recorded at ${row[7]}, before the event in front of it at ${recordedAtBefore}`];
  if (isStub(row)) return wasDropped(row) ? null : ['payload_gone', 'the payload is gone, and no record says that it was dropped'];
  if (row[16] !== '' && !areBoxes(row[16])) return ['boxes', 'the boxes are not of the form [[subject, base64], …] with each subject once'];
  return null;
}

function leafInputOf(row: EventRow): Buffer {
  const event = eventOfRow(row);
  return leafInput(canonicalHeader(event, event), contentHash(event.data, event.boxes));
}

function areBoxes(text: string): boolean {
  const box = oneBox.exec(text)?.[2];
  if (box !== undefined) return box.length >= shortestBox && box.length % 4 === 0;
  let boxes: unknown;
  try {
    boxes = JSON.parse(text);
  } catch {
    return false;
  }
  if (!Array.isArray(boxes) || boxes.length === 0 || !boxes.every(isBox)) return false;
  return new Set(boxes.map(([subject]) => subject)).size === boxes.length;
}

function isBox(entry: unknown): entry is [subject: string, box: string] {
  if (!Array.isArray(entry) || entry.length !== 2) return false;
  const [subject, box] = entry as unknown[];
  return typeof subject === 'string' && subject !== '' && typeof box === 'string' && box.length >= shortestBox && base64.test(box);
}
