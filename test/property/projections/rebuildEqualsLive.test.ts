import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue } from '../../../src/events/catalogue/catalogue.js';
import { allProjections } from '../../../src/projections/allProjections.js';
import { boxOpener } from '../../../src/projections/folding/boxOpener.js';
import { digestOf } from '../../../src/projections/readModel/digest.js';
import { parkedRows } from '../../../src/projections/readModel/parkedEvents.js';
import { ReadModel } from '../../../src/projections/readModel/readModel.js';
import { openReadModel, putInPlace } from '../../../src/projections/readModel/readModelFile.js';
import { rebuildSteps } from '../../../src/projections/rebuilding/rebuild.js';
import type { RebuildProgress } from '../../../src/projections/views.js';
import { folded, foldInto, modelInMemory } from '../../support/projections/foldedModel.js';
import { RandomHistory, steps } from '../../support/projections/randomHistory.js';
import type { TestLedger } from '../../support/projections/testLedger.js';

const projections = allProjections({ callText: true });
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'rebuild-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function rebuild(ledger: TestLedger): ReturnType<typeof rebuildSteps> {
  return rebuildSteps({ source: ledger, catalogue, boxes: boxOpener(ledger, catalogue), projections, directory, elapsed: () => 0 });
}

describe('whatever happened', () => {
  it('a view folded live, in pages of any size, equals the one that is built anew and the one built twice', () => {
    fc.assert(
      fc.property(steps(60), fc.integer({ min: 1, max: 20 }), (taken, pageSize) => {
        const history = new RandomHistory();
        const live = projections.map((projection) => modelInMemory(projection, history.ledger));
        for (const step of taken) {
          history.take(step);
          if (step.pick[0] % 4 === 0) foldInto(live, history.ledger, pageSize);
        }
        foldInto(live, history.ledger, pageSize);
        for (const model of live) {
          const anew = folded(model.projection, history.ledger);
          expect(digestOf(anew.db, model.projection)).toBe(digestOf(model.db, model.projection));
          expect(parkedRows(anew.db)).toEqual(parkedRows(model.db));
          expect(anew.checkpoint).toEqual(model.checkpoint);
          if (model.projection.name === 'callText') for (const table of ['running', 'ended']) checkIndex(model.db, table);
          anew.db.close();
          model.db.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a rebuild beside the live view gives its digest, and its file goes on from there', () => {
    fc.assert(
      fc.property(steps(40), steps(10), (before, after) => {
        const history = new RandomHistory();
        before.forEach((step) => history.take(step));
        const live = projections.map((projection) => modelInMemory(projection, history.ledger));
        foldInto(live, history.ledger);
        const running = rebuild(history.ledger);
        let step = running.next();
        while (step.done !== true) step = running.next();
        expect(step.value.map(({ name, digest }) => [name, digest])).toEqual(live.map(({ db, projection }) => [projection.name, digestOf(db, projection)]));
        after.forEach((later) => history.take(later));
        foldInto(live, history.ledger);
        for (const { db, projection } of live) {
          putInPlace(directory, projection);
          const file = openReadModel(directory, projection, () => expect('discarded').toBe('kept'));
          const gone = modelOn(file, projection.name, history.ledger);
          expect(gone).toBe(digestOf(db, projection));
          file.close();
          db.close();
        }
      }),
      { numRuns: 10 },
    );
  });

  it('a rebuild that is ended early leaves no file', () => {
    fc.assert(
      fc.property(steps(30), fc.integer({ min: 1, max: 12 }), (taken, when) => {
        const history = new RandomHistory();
        taken.forEach((step) => history.take(step));
        const running = rebuild(history.ledger);
        const seen: RebuildProgress[] = [];
        for (let index = 0; index < when; index += 1) {
          const step = running.next();
          if (step.done !== true) seen.push(step.value);
          else break;
        }
        running.return([]);
        if (seen.length === when) expect(readdirSync(directory).filter((file) => file.includes('.tmp'))).toEqual([]);
        for (const { done, total } of seen) expect(done).toBeLessThanOrEqual(total);
      }),
      { numRuns: 15 },
    );
  });
});

/** SQLite compares the words of an index with the texts it stands for, and throws when they differ. */
function checkIndex(db: ReadModel['db'], table: string): void {
  db.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('integrity-check', 1)`).run();
}

/** Folds what is missing into a file. @returns its digest */
function modelOn(db: ReturnType<typeof openReadModel>, name: string, ledger: TestLedger): string {
  const projection = projections.find((candidate) => candidate.name === name);
  if (projection === undefined) throw new Error(name);
  const model = new ReadModel(projection, db, catalogue, boxOpener(ledger, catalogue));
  foldInto([model], ledger);
  return digestOf(db, projection);
}
