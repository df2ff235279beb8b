import Database from 'better-sqlite3';
import { catalogue } from '../../../src/events/catalogue/catalogue.js';
import { boxOpener } from '../../../src/projections/folding/boxOpener.js';
import { checkpointTable, initialCheckpoint } from '../../../src/projections/readModel/checkpoint.js';
import { parkedTable } from '../../../src/projections/readModel/parkedEvents.js';
import type { Projection } from '../../../src/projections/projection.js';
import { ProjectionRunner } from '../../../src/projections/folding/projectionRunner.js';
import { ReadModel } from '../../../src/projections/readModel/readModel.js';
import type { TestLedger } from './testLedger.js';

/** A read model in memory. */
export function modelInMemory(projection: Projection, ledger: TestLedger): ReadModel {
  const db = new Database(':memory:');
  db.exec(`${checkpointTable}${parkedTable}${initialCheckpoint(projection.name, projection.version)}${projection.tables}${projection.indexes}`);
  return new ReadModel(projection, db, catalogue, boxOpener(ledger, catalogue));
}

/** Folds what the models have not seen yet, in pages of `pageSize` events. */
export function foldInto(models: readonly ReadModel[], ledger: TestLedger, pageSize = 100): void {
  const runner = new ProjectionRunner(ledger, catalogue, (_model, error) => {
    throw error;
  });
  for (const model of models) runner.add(model);
  while (runner.step(pageSize) > 0);
}

/** The read model of the whole ledger. */
export function folded(projection: Projection, ledger: TestLedger, pageSize = 100): ReadModel {
  const model = modelInMemory(projection, ledger);
  foldInto([model], ledger, pageSize);
  return model;
}
