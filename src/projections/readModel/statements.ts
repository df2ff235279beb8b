import type { Database, Statement } from 'better-sqlite3';

const prepared = new WeakMap<Database, Map<string, Statement>>();

/** The prepared statement of a text on a connection; compiled once for each connection. */
export function statement<Parameters extends unknown[], Row>(db: Database, sql: string): Statement<Parameters, Row> {
  let known = prepared.get(db);
  if (known === undefined) prepared.set(db, (known = new Map<string, Statement>()));
  let found = known.get(sql);
  if (found === undefined) known.set(sql, (found = db.prepare(sql)));
  return found as unknown as Statement<Parameters, Row>;
}
