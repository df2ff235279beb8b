import type { MessagePort } from 'node:worker_threads';
import { catalogue } from '../../events/catalogue/catalogue.js';
import { systemClock } from '../../platform/time/clock.js';
import { Fault } from '../../platform/fault.js';
import { allProjections } from '../allProjections.js';
import type { ViewPlace } from './caughtUp.js';
import { parkedRows, shortError } from '../readModel/parkedEvents.js';
import type { Projection } from '../projection.js';
import { ProjectionRunner } from './projectionRunner.js';
import { ReadModel } from '../readModel/readModel.js';
import { isUseless, openReadModel, putInPlace, type Note } from '../readModel/readModelFile.js';
import { removeOlderVersions, tidyAtStart } from '../readModel/viewFiles.js';
import { openCalls, type OpenCall } from '../toolCallLog/openCalls.js';
import type { ParkedEvent, ViewStatus } from '../views.js';
import { answerCalls } from '../threads/workerCalls.js';
import { openInputs, type LedgerAccess } from './workerInputs.js';

/** What the projection thread answers. */
export interface ProjectionCalls {
  /** Opens the files and begins to fold. */
  open: { input: null; output: null };
  /** Something was appended: fold it, and try again what gave trouble. `wake` counts these calls. */
  appended: { input: { readonly wake: number }; output: null };
  status: { input: null; output: readonly ViewStatus[] };
  openCalls: { input: null; output: readonly OpenCall[] };
  parked: { input: null; output: readonly ParkedEvent[] };
  retryParked: { input: { readonly view: string }; output: number };
  /** Puts finished rebuilds of these views in place of the live ones. */
  swap: { input: { readonly views: readonly string[] }; output: null };
  /** Takes out of the files what folding has deleted for good; false when a reader is in the way. */
  sweep: { input: null; output: boolean };
  close: { input: null; output: null };
}

/** What the projection thread tells unasked. */
export type ProjectionNews =
  /** How far the views are, after so many wakes. */
  | { readonly kind: 'folded'; readonly places: readonly ViewPlace[]; readonly wake: number }
  | { readonly kind: 'note'; readonly note: Parameters<Note>[0] }
  /** The file of a view is damaged and has to be built again. */
  | { readonly kind: 'damaged'; readonly view: string }
  | { readonly kind: 'stuck'; readonly problem: string };

const pageEvents = 1_000;
/** Folds the ledger into the views. */
export function projectionThread(port: MessagePort, access: LedgerAccess): void {
  const projections = allProjections(access);
  const inputs = openInputs(access);
  const { source, boxes } = inputs;
  const runner = new ProjectionRunner(source, catalogue, (model, error) => {
    if (isUseless(error)) tell({ kind: 'damaged', view: model.projection.name });
  });
  const behindVersions = new Set(projections);
  /** A file was opened that a dead process, or a rebuild, may have left unswept. */
  let sweepDue = true;
  let turning = false;
  let closed = false;
  let newestWake = 0;
  /** Why the ledger cannot be read, or null. */
  let stuck: string | null = null;

  const tell: (news: ProjectionNews) => void = answerCalls<ProjectionCalls>(port, {
    open: () => {
      tidyAtStart(access.directory, projections);
      projections.forEach(open);
      tellPlaces();
      wake();
      return null;
    },
    appended: ({ wake: number }) => {
      newestWake = number;
      runner.revive();
      wake();
      return null;
    },
    status: () => runner.status(systemClock).map((view) => (stuck === null ? view : { ...view, phase: 'halted', problem: stuck })),
    openCalls: () => openCalls(modelNamed('toolCallLog').db),
    parked: () =>
      runner.models.flatMap(({ projection, db }) =>
        parkedRows(db).map(({ position, eventId, type, error, attempts }) => ({ view: projection.name, position, eventId, type, error, attempts })),
      ),
    retryParked: ({ view }) => modelNamed(view).retryParked(source),
    swap: ({ views }) => {
      for (const name of views) {
        const { db, projection } = modelNamed(name);
        db.close();
        try {
          putInPlace(access.directory, projection);
        } finally {
          open(projection);
          sweepDue = true;
        }
      }
      wake();
      return null;
    },
    sweep,
    close: () => {
      if (sweepDue) sweep();
      for (const { db } of runner.models) db.close();
      for (const { projection } of runner.models) runner.remove(projection.name);
      inputs.close();
      closed = true;
      return null;
    },
  });

  function open(projection: Projection): void {
    const db = openReadModel(access.directory, projection, (note) => tell({ kind: 'note', note }));
    runner.add(new ReadModel(projection, db, catalogue, boxes));
  }

  function modelNamed(name: string): ReadModel {
    const model = runner.model(name);
    if (model !== undefined) return model;
    const known = runner.models.map(({ projection }) => projection.name).join(', ');
    throw new Fault('usage', 'unknown_view', `There is no view ${name}. The views are: ${known}.`, { view: name });
  }

  function wake(): void {
    if (turning) return;
    turning = true;
    setImmediate(turn);
  }

  /** One page a turn, so that calls are answered in between. */
  function turn(): void {
    turning = false;
    if (closed) return;
    try {
      const read = runner.step(pageEvents);
      stuck = null;
      if (read === 0) reachedHead();
      else wake();
    } catch (error) {
      stuck = shortError(error);
      tell({ kind: 'stuck', problem: stuck });
    }
    tellPlaces();
  }

  function reachedHead(): void {
    for (const projection of behindVersions) {
      const model = modelNamed(projection.name);
      if (model.halted !== null || runner.troubleOf(model) !== null) continue;
      removeOlderVersions(access.directory, projection);
      behindVersions.delete(projection);
    }
    if (sweepDue) sweep();
    sweepDue = false;
  }

  /** @returns false when a reader or the disk is in the way */
  function sweep(): boolean {
    return runner.models.map(sweepOne).every((swept) => swept);
  }

  function sweepOne({ projection, db }: ReadModel): boolean {
    try {
      return projection.sweep?.(db) ?? true;
    } catch (error) {
      tell({ kind: 'note', note: { message: `what was erased may still lie in free pages: ${shortError(error)}`, view: projection.name, file: db.name } });
      return false;
    }
  }

  function tellPlaces(): void {
    const places = runner.models.map((model) => ({
      view: model.projection.name,
      position: model.checkpoint?.position ?? null,
      halted: model.halted,
      trouble: stuck ?? runner.troubleOf(model),
    }));
    tell({ kind: 'folded', places, wake: newestWake });
  }
}
