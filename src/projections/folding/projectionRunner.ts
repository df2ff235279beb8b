import type { Catalogue } from '../../events/catalogue/catalogue.js';
import { comparePositions, type Position } from '../../events/envelope.js';
import type { Clock } from '../../platform/time/clock.js';
import type { EventSource } from './eventSource.js';
import { LedgerPage } from './ledgerPage.js';
import { parkedCount, shortError } from '../readModel/parkedEvents.js';
import type { ReadModel } from '../readModel/readModel.js';
import type { ViewStatus } from '../views.js';

/** Feeds the ledger to read models. One page is read and decoded once for all models that stand at the same place. */
export class ProjectionRunner {
  readonly #models = new Map<string, ReadModel>();
  /** Names of models that have reached the head since they were opened. */
  readonly #live = new Set<string>();
  /** Models whose file gave trouble, until they are opened again or the trouble passes. */
  readonly #troubles = new Map<string, string>();

  /** @param onFileTrouble told when a model's file cannot be written or is damaged; it is left alone until `add` or `revive` */
  constructor(
    private readonly source: EventSource,
    private readonly catalogue: Catalogue,
    private readonly onFileTrouble: (model: ReadModel, error: unknown) => void,
  ) {}

  get models(): readonly ReadModel[] {
    return [...this.#models.values()];
  }

  model(name: string): ReadModel | undefined {
    return this.#models.get(name);
  }

  /** Takes in a model, in place of one of the same name. */
  add(model: ReadModel): void {
    this.remove(model.projection.name);
    this.#models.set(model.projection.name, model);
  }

  remove(name: string): void {
    this.#models.delete(name);
    this.#live.delete(name);
    this.#troubles.delete(name);
  }

  /** What trouble a model's file gave at the last attempt, or null. */
  troubleOf({ projection }: ReadModel): string | null {
    return this.#troubles.get(projection.name) ?? null;
  }

  /** Tries models again whose file gave trouble. */
  revive(): void {
    this.#troubles.clear();
  }

  /**
   * Folds one page into the models that are furthest behind.
   * @param limit most events
   * @returns how many events were read; 0 when every model that goes on has reached the head
   * @throws EventStoreError when the ledger cannot be read
   */
  step(limit: number): number {
    const active = this.models.filter((model) => model.halted === null && !this.#troubles.has(model.projection.name));
    const [first, ...others] = active;
    if (first === undefined) return 0;
    const from = others.reduce((lowest, model) => earlier(lowest, positionOf(model)), positionOf(first));
    const page = this.#pageAfter(from, active, limit);
    if (page.events.length === 0) for (const model of active) this.#live.add(model.projection.name);
    else for (const model of active) if (positionOf(model) === from) this.#fold(model, page);
    return page.events.length;
  }

  status(clock: Clock): readonly ViewStatus[] {
    return this.models.map((model) => this.#statusOf(model, clock));
  }

  #fold(model: ReadModel, page: LedgerPage): void {
    try {
      model.fold(page);
    } catch (error) {
      this.#troubles.set(model.projection.name, shortError(error));
      this.onFileTrouble(model, error);
    }
  }

  /** The next page, cut so that models further on are caught up with and join in. */
  #pageAfter(from: Position | null, active: readonly ReadModel[], limit: number): LedgerPage {
    const page = new LedgerPage(this.source.readAll(from, limit), this.catalogue);
    const ahead = active.map(positionOf).filter((position) => position !== null && position !== from) as Position[];
    const [next] = ahead.sort(comparePositions);
    return next === undefined ? page : page.upTo(next);
  }

  #statusOf(model: ReadModel, clock: Clock): ViewStatus {
    const { name, version } = model.projection;
    const position = positionOf(model);
    const problem = model.halted ?? this.troubleOf(model);
    const lagEvents = this.source.countAfter(position);
    const [oldest] = lagEvents === 0 ? [] : this.source.readAll(position, 1);
    return {
      name,
      version,
      phase: problem !== null ? 'halted' : lagEvents === 0 || this.#live.has(name) ? 'live' : 'catching_up',
      position,
      lagEvents,
      lagSeconds: oldest === undefined ? 0 : Math.max(0, (clock.now() - oldest.recordedAt) / 1000),
      parked: parkedCount(model.db),
      problem,
    };
  }
}

function positionOf(model: ReadModel): Position | null {
  return model.checkpoint?.position ?? null;
}

function earlier(a: Position | null, b: Position | null): Position | null {
  if (a === null || b === null) return null;
  return comparePositions(a, b) <= 0 ? a : b;
}
