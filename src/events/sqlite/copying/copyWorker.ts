import { closeSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { openDatabase } from '../../../platform/sqlite/openDatabase.js';
import { openFailure, readFailure, saidBy } from '../failureOf.js';
import { ledgerFormat } from '../schema.js';
import type { CopyTask, FromCopier } from './copyLedger.js';

const { from, to } = workerData as CopyTask;

function copy(): FromCopier {
  let db: Database.Database;
  try {
    // Looks at the format first: a foreign or newer file is not copied.
    openDatabase(from, 'reader', ledgerFormat).close();
    db = new Database(from, { readonly: true, fileMustExist: true });
  } catch (error) {
    return { failure: openFailure(error, from) };
  }
  try {
    // SQLite writes into an empty file that is there, so nobody else may read it at any time.
    closeSync(openSync(to, 'wx', 0o600));
    // One snapshot, whatever is written meanwhile; SQLite's step-by-step backup begins again with every write.
    db.prepare('VACUUM INTO ?').run(to);
    return { copied: true };
  } catch (error) {
    const failure = readFailure(error);
    return failure.code === 'corrupt' ? { failure } : { notCopied: saidBy(error) };
  } finally {
    db.close();
  }
}

parentPort?.postMessage(copy());
