import type { Catalogue } from '../../events/catalogue/catalogue.js';
import { Fault } from '../../platform/fault.js';
import type { EventSource } from '../folding/eventSource.js';
import { digestSteps } from '../readModel/digest.js';
import type { BoxOpener, Projection } from '../projection.js';
import { ProjectionRunner } from '../folding/projectionRunner.js';
import { ReadModel } from '../readModel/readModel.js';
import { openTemporary, temporaryPath } from '../readModel/readModelFile.js';
import { removeDatabase } from '../../platform/sqlite/replaceDatabase.js';
import type { RebuildProgress, RebuildReport } from '../views.js';

/** What a rebuild needs. */
export interface RebuildInputs {
  readonly source: EventSource;
  readonly catalogue: Catalogue;
  readonly boxes: BoxOpener;
  readonly projections: readonly Projection[];
  readonly directory: string;
  /** Milliseconds from any fixed moment, never going back. */
  readonly elapsed: () => number;
}

/** Larger pages are not quicker, and progress is told after each. */
const pageEvents = 1_000;

/**
 * Builds read models anew into temporary files: one scan of the ledger for all, then indexes, then what was appended
 * meanwhile, then the digests. Yields several times a second; ending it early removes the files.
 * @returns what was built; the files wait for `putInPlace`
 * @throws Fault `view_halted` when an event cannot be folded by a view that halts; errors of the ledger and the disk
 */
export function* rebuildSteps(inputs: RebuildInputs): Generator<RebuildProgress, readonly RebuildReport[]> {
  const { source, catalogue, boxes, projections, directory, elapsed } = inputs;
  const began = elapsed();
  const models: ReadModel[] = [];
  let finished = false;
  let done = 0;
  const progress = (phase: RebuildProgress['phase']): RebuildProgress => ({
    views: projections.map(({ name }) => name),
    phase,
    done,
    total: Math.max(done, source.countAfter(null)),
    eventsPerSecond: Math.round((done * 1000) / Math.max(1, elapsed() - began)),
  });
  try {
    const runner = new ProjectionRunner(source, catalogue, (_model, error) => {
      throw error;
    });
    for (const projection of projections) {
      const model = new ReadModel(projection, openTemporary(directory, projection), catalogue, boxes);
      models.push(model);
      runner.add(model);
    }
    const catchUp = function* (): Generator<RebuildProgress, void> {
      for (;;) {
        const read = runner.step(pageEvents);
        refuseHalted(models);
        if (read === 0) return;
        done += read;
        yield progress('folding');
      }
    };
    yield* catchUp();
    for (const { db, projection } of models) {
      yield progress('indexing');
      db.exec(projection.indexes);
    }
    yield* catchUp();
    const reports: RebuildReport[] = [];
    for (const model of models) {
      const digest = digestSteps(model.db, model.projection);
      let step = digest.next();
      for (; step.done !== true; step = digest.next()) yield progress('switching');
      const seconds = (elapsed() - began) / 1000;
      reports.push({ name: model.projection.name, events: model.checkpoint?.ordinal ?? 0, digest: step.value, seconds });
      model.db.close();
    }
    finished = true;
    return reports;
  } finally {
    for (const { db } of models) if (db.open) db.close();
    if (!finished) for (const projection of projections) removeDatabase(temporaryPath(directory, projection));
  }
}

function refuseHalted(models: readonly ReadModel[]): void {
  for (const { halted, projection } of models) {
    if (halted === null) continue;
    throw new Fault('failed', 'view_halted', `The view ${projection.name} cannot be built: ${halted}`, { view: projection.name });
  }
}
