import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../../platform/sqlite/openDatabase.js';
import { checkRows } from './checkRows.js';
import { checkStructure } from './checkStructure.js';
import { openFailure } from '../failureOf.js';
import { ledgerFormat } from '../schema.js';
import type { FromVerifier, VerifyTask } from './verifyMessages.js';

const { file, part, sealed } = workerData as VerifyTask;

function send(message: FromVerifier): void {
  parentPort?.postMessage(message);
}

function verify(): FromVerifier {
  try {
    const db = openDatabase(file, 'reader', ledgerFormat);
    try {
      if (part === 'structure') return { report: { events: 0, damage: checkStructure(db) } };
      return { report: checkRows(db, (done, total) => send({ done, total }), sealed) };
    } finally {
      db.close();
    }
  } catch (error) {
    const failure = openFailure(error, file);
    if (failure.code !== 'corrupt') return { failure };
    return { report: { events: 0, damage: { position: null, kind: 'structure', detail: failure.detail } } };
  }
}

send(verify());
