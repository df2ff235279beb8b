import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Projection } from '../projection.js';

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
    let rows = 0;
    for (const line of db.prepare<[], Buffer>(asLines(db, query)).pluck().iterate()) {
      hash.update(line);
      rows += 1;
      if (rows % rowsAStep === 0) yield;
    }
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

/**
 * The query with each row as one line: the values as SQL would write them. SQLite makes it quicker than we could, and
 * bytes need no way through a JavaScript string to be hashed.
 */
function asLines(db: Database, query: string): string {
  const values = db
    .prepare(query)
    .columns()
    .map(({ name }) => `quote("${name}")`);
  return `SELECT CAST(${values.join(" || ',' || ")} || char(10) AS BLOB) FROM (${query})`;
}
