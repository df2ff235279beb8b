import { comparePositions, type Position } from '../../events/envelope.js';
import { Fault } from '../../platform/fault.js';

/** How far one view is. */
export interface ViewPlace {
  readonly view: string;
  readonly position: Position | null;
  readonly halted: string | null;
}

interface Waiting {
  readonly position: Position;
  /** Null: all views, and a halted one is not waited for. */
  readonly views: readonly string[] | null;
  readonly settle: (fault: Fault | null) => void;
}

/** Knows how far the views are and wakes those who wait for them to get somewhere. */
export class CaughtUp {
  /** Null until something is known. */
  #places: readonly ViewPlace[] | null = null;
  #lost: Fault | null = null;
  readonly #waiting = new Set<Waiting>();

  /** Takes in how far the views are now. */
  update(places: readonly ViewPlace[]): void {
    this.#places = places;
    for (const waiting of this.#waiting) this.#look(waiting);
  }

  /** Nobody gets anywhere any more. */
  fail(fault: Fault): void {
    this.#lost = fault;
    for (const waiting of this.#waiting) waiting.settle(fault);
  }

  /**
   * Resolves when the views have folded `position`. Views that are not there (switched off) are not waited for.
   * @param views which; null means all, and halted ones do not count then
   * @throws Fault `view_halted` when a named view will never get there; the signal's reason when it is aborted
   */
  reached(position: Position, views: readonly string[] | null, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#waiting.delete(waiting);
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      const waiting: Waiting = {
        position,
        views,
        settle: (fault) => {
          this.#waiting.delete(waiting);
          signal?.removeEventListener('abort', abort);
          if (fault === null) resolve();
          else reject(fault);
        },
      };
      if (signal?.aborted === true) {
        abort();
        return;
      }
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiting);
      if (this.#lost !== null) waiting.settle(this.#lost);
      else this.#look(waiting);
    });
  }

  #look(waiting: Waiting): void {
    const { position, views, settle } = waiting;
    if (this.#places === null) return;
    const behind = this.#places.filter(
      (place) => (views?.includes(place.view) ?? true) && (place.position === null || comparePositions(place.position, position) < 0),
    );
    const halted = behind.find((place) => place.halted !== null);
    if (views !== null && halted !== undefined) {
      settle(new Fault('failed', 'view_halted', `The view ${halted.view} has halted: ${halted.halted ?? ''}`, { view: halted.view }));
    } else if (behind.every((place) => place.halted !== null)) {
      settle(null);
    }
  }
}
