import type { EventStore } from '../events/eventStore.js';
import { Fault } from '../platform/fault.js';
import { scheduleInBackground } from '../platform/time/schedule.js';
import { startThread, type ThreadPlace, type ThreadWork } from '../platform/threads/startThread.js';
import { allProjections } from './allProjections.js';
import { callText } from './callText/projection.js';
import { CaughtUp } from './folding/caughtUp.js';
import type { ProjectionCalls, ProjectionNews } from './folding/projectionThread.js';
import type { QueryAccess, QueryCalls, QueryNews } from './querying/queryThread.js';
import { temporaryPath } from './readModel/readModelFile.js';
import { steadyProgress } from './rebuilding/steadyProgress.js';
import { buildTemporaries } from './rebuilding/viewRebuild.js';
import type { RebuildProgress, RebuildReport, ViewQueries, Views, ViewStatus } from './views.js';
import { WorkerCalls } from './threads/workerCalls.js';
import { removeDatabase } from '../platform/sqlite/replaceDatabase.js';
import type { LedgerAccess } from './folding/workerInputs.js';

/**
 * How long views that nobody waits for let events gather before they fold them, in milliseconds: folding each alone
 * costs the disk and the processor several times as much, which calls would feel.
 */
const followAfterMs = 20;

/** What the views are opened with. */
export interface ViewsOptions extends LedgerAccess {
  readonly store: Pick<EventStore, 'onAppended'>;
  /** Where they are folded and asked; apart by default. A rebuild always is apart. */
  readonly place?: ThreadPlace;
  /** Told of what an operator should know: discarded files, damage, a ledger that cannot be read. No personal values. */
  readonly note: (message: string, details: { readonly view?: string; readonly file?: string }) => void;
}

const folding: ThreadWork<LedgerAccess> = {
  file: 'projections/folding/projectionWorker.js',
  load: async () => (await import('./folding/projectionThread.js')).projectionThread,
};
const querying: ThreadWork<QueryAccess> = {
  file: 'projections/querying/queryWorker.js',
  load: async () => (await import('./querying/queryThread.js')).queryThread,
};

/**
 * Opens the read models. Apart, one thread folds, one answers queries, and this one never waits for either. Missing files and
 * those that are damaged or of another program are built again.
 * @throws Fault when the files cannot be written, EventStoreError when the ledger cannot be read
 */
export async function openViews(options: ViewsOptions): Promise<Views> {
  const views = new ProjectionViews(options);
  try {
    await views.started();
    return views;
  } catch (error) {
    await views.close();
    throw error;
  }
}

class ProjectionViews implements Views {
  readonly #caughtUp = new CaughtUp();
  readonly #folding: WorkerCalls<ProjectionCalls, ProjectionNews>;
  /** Started by the first question: most short commands ask none. */
  #asking: WorkerCalls<QueryCalls, QueryNews> | null = null;
  readonly #stopListening: () => void;
  /** Calls off the wake that is due soon, or null when none is. */
  #wakeDue: (() => void) | null = null;
  /** How often the thread that folds was woken. */
  #wakes = 0;
  readonly #closing = new AbortController();
  readonly #access: LedgerAccess;
  readonly #place: ThreadPlace;
  #rebuilding: { readonly views: readonly string[]; readonly ended: Promise<unknown> } | null = null;

  constructor(private readonly options: ViewsOptions) {
    const { engine, vault, directory, callText: withText, place = 'apart' } = options;
    this.#place = place;
    this.#access = { engine, vault, directory, callText: withText };
    this.#folding = new WorkerCalls(
      startThread(folding, this.#access, this.#place),
      (news) => this.#hear(news),
      (fault) => this.#lose(fault),
    );
    this.#stopListening = options.store.onAppended(() => this.#wakeSoon());
  }

  /** Resolves when the files are open. */
  async started(): Promise<void> {
    await this.#folding.call('open', null);
  }

  caughtUpTo(position: string, options: { readonly views?: readonly string[]; readonly signal?: AbortSignal } = {}): ReturnType<Views['caughtUpTo']> {
    // Whoever waits is not kept waiting for company.
    this.#wake();
    return this.#caughtUp.reached({ position, views: options.views ?? null, wake: this.#wakes }, options.signal);
  }

  async status(): Promise<readonly ViewStatus[]> {
    const running = this.#rebuilding?.views ?? [];
    const status = await this.#folding.call('status', null);
    const shown = status.map((view) => (running.includes(view.name) ? { ...view, phase: 'rebuilding' as const } : view));
    return this.#access.callText ? shown : [...shown, switchedOff];
  }

  openCalls(): ReturnType<Views['openCalls']> {
    return this.#folding.call('openCalls', null);
  }

  parked(): ReturnType<Views['parked']> {
    return this.#folding.call('parked', null);
  }

  retryParked(view: string): Promise<number> {
    return this.#folding.call('retryParked', { view });
  }

  sweep(): Promise<boolean> {
    return this.#folding.call('sweep', null);
  }

  async query<Name extends keyof ViewQueries>(name: Name, input: ViewQueries[Name]['input']): Promise<ViewQueries[Name]['output']> {
    return (await this.#askingThread().call('query', { name, input })) as ViewQueries[Name]['output'];
  }

  async rebuild(
    names: readonly string[],
    onProgress: (progress: RebuildProgress) => void,
    signal: AbortSignal,
  ): Promise<readonly RebuildReport[]> {
    const views = this.#namesOf(names);
    if (this.#rebuilding !== null) {
      const running = this.#rebuilding.views.join(', ');
      throw new Fault('failed', 'rebuild_running', `A rebuild of ${running} is running already. Wait until it has ended, or cancel it.`);
    }
    const steady = steadyProgress(views, onProgress);
    const rebuilt = this.#rebuild(views, steady.hear, AbortSignal.any([signal, this.#closing.signal]));
    this.#rebuilding = { views, ended: rebuilt.catch(() => undefined) };
    try {
      return await rebuilt;
    } finally {
      steady.end();
      this.#rebuilding = null;
    }
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#wakeDue?.();
    const closed = new Fault('failed', 'views_closed', 'The views are closed.');
    this.#closing.abort(closed);
    await this.#rebuilding?.ended;
    this.#caughtUp.fail(closed);
    await this.#asking?.close();
    await this.#folding.call('close', null).catch(() => undefined);
    await this.#folding.close();
  }

  async #rebuild(
    views: readonly string[],
    onProgress: (progress: RebuildProgress) => void,
    signal: AbortSignal,
  ): Promise<readonly RebuildReport[]> {
    try {
      const reports = await buildTemporaries(this.#access, views, onProgress, signal);
      // Queries wait while the files change places; there are then no readers of the old ones in this process.
      const asking = this.#askingThread();
      await asking.call('pause', null);
      try {
        await this.#folding.call('swap', { views });
      } finally {
        await asking.call('resume', null);
      }
      return reports;
    } finally {
      const left = allProjections(this.#access).filter(({ name }) => views.includes(name));
      for (const projection of left) removeDatabase(temporaryPath(this.#access.directory, projection));
    }
  }

  #askingThread(): WorkerCalls<QueryCalls, QueryNews> {
    this.#closing.signal.throwIfAborted();
    const { directory, callText: withText } = this.#access;
    return (this.#asking ??= new WorkerCalls(
      startThread(querying, { directory, callText: withText }, this.#place),
      ({ damaged }) => this.#repair(damaged),
      (fault) => this.#lose(fault),
    ));
  }

  #lose(fault: Fault): void {
    this.#caughtUp.fail(fault);
    this.options.note(fault.message, {});
  }

  #namesOf(names: readonly string[]): readonly string[] {
    const known = allProjections(this.#access).map(({ name }) => name);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined) return names.length === 0 ? known : known.filter((name) => names.includes(name));
    const problem = unknown === callText.name ? `The view ${unknown} is switched off.` : `There is no view ${unknown}.`;
    throw new Fault('usage', 'unknown_view', `${problem} The views are: ${known.join(', ')}.`, { view: unknown });
  }

  #wakeSoon(): void {
    this.#wakeDue ??= scheduleInBackground(followAfterMs, () => this.#wake());
  }

  #wake(): void {
    this.#wakeDue?.();
    this.#wakeDue = null;
    this.#wakes += 1;
    this.#folding.send('appended', { wake: this.#wakes });
  }

  #hear(news: ProjectionNews): void {
    if (news.kind === 'folded') this.#caughtUp.update(news.places, news.wake);
    else if (news.kind === 'damaged') this.#repair([news.view]);
    else if (news.kind === 'note') this.options.note(news.note.message, { view: news.note.view, file: news.note.file });
    else this.options.note(`The views cannot read the ledger: ${news.problem}`, {});
  }

  /** A read model can be made again, so damage is repaired without being asked. */
  #repair(views: readonly string[]): void {
    if (this.#rebuilding !== null || this.#closing.signal.aborted) return;
    this.options.note(`read model damaged, it is built again: ${views.join(', ')}`, {});
    this.#caughtUp.repairing(views);
    this.rebuild(views, () => undefined, this.#closing.signal)
      .catch((error: unknown) => {
        this.options.note(`building ${views.join(', ')} again failed: ${error instanceof Error ? error.message : String(error)}`, {});
      })
      .finally(() => this.#caughtUp.repairing([]));
  }
}

const switchedOff: ViewStatus = {
  name: callText.name,
  version: callText.version,
  phase: 'off',
  position: null,
  lagEvents: 0,
  lagSeconds: 0,
  parked: 0,
  problem: null,
};
