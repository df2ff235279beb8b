import { createHash, type Hash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Projection } from './projection.js';

const rowsAStep = 5_000;

/**
 * Digest of every row of a read model in a fixed order: two models that give the same were built the same.
 * Yields from time to time so that the caller can tell how it goes or stop.
 * @returns SHA-256 as hex
 */
export function* digestSteps(db: Database, projection: Pick<Projection, 'rows'>): Generator<void, string> {
  const hash = createHash('sha256');
  for (const query of projection.rows) {
    hash.update(`${query}\n`);
    const statement = db.prepare<[], readonly unknown[]>(query).raw();
    let lines: string[] = [];
    for (const row of statement.iterate()) {
      lines.push(rowText(row));
      if (lines.length < rowsAStep) continue;
      add(hash, lines);
      lines = [];
      yield;
    }
    add(hash, lines);
  }
  return hash.digest('hex');
}

/** The digest in one go. */
export function digestOf(db: Database, projection: Pick<Projection, 'rows'>): string {
  const steps = digestSteps(db, projection);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function add(hash: Hash, lines: readonly string[]): void {
  if (lines.length > 0) hash.update(`${lines.join('\n')}\n`);
}

/** A row as text that no other row has: each value with its kind, texts with their length. */
function rowText(row: readonly unknown[]): string {
  let text = '';
  for (const value of row) {
    if (typeof value === 'string') text += `s${value.length}:${value}`;
    else if (typeof value === 'number') text += `n${value};`;
    else text += Buffer.isBuffer(value) ? `b${value.toString('hex')};` : '-';
  }
  return text;
}
