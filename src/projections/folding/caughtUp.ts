import { comparePositions, type Position } from '../../events/envelope.js';
import { Fault } from '../../platform/fault.js';
import type { LeftBehind } from '../views.js';

/** How far one view is. */
export interface ViewPlace {
  readonly view: string;
  readonly position: Position | null;
  /** Why it takes no more events, or null. */
  readonly halted: string | null;
  /** Why the last attempt got nowhere although nothing is wrong with the events, e.g. a full disk; the next one may. */
  readonly trouble: string | null;
}

/** Where views are to get. */
export interface Goal {
  readonly position: Position;
  /** Null: all views, and those that cannot get there are left behind. */
  readonly views: readonly string[] | null;
  /** Number of the wake after which trouble counts: what gave trouble before may be over. */
  readonly wake: number;
}

interface Waiting extends Goal {
  readonly resolve: (leftBehind: readonly LeftBehind[]) => void;
  readonly reject: (error: Error) => void;
}

/** Knows how far the views are and wakes those who wait for them to get somewhere. */
export class CaughtUp {
  /** Null until something is known. */
  #places: readonly ViewPlace[] | null = null;
  /** The newest wake after which the views were looked at. */
  #wake = 0;
  #repaired: readonly string[] = [];
  #lost: Fault | null = null;
  readonly #waiting = new Set<Waiting>();

  /** Takes in how far the views are after a wake. */
  update(places: readonly ViewPlace[], wake: number): void {
    this.#places = places;
    this.#wake = wake;
    this.#lookAgain();
  }

  /** From now on these views, and no others, are being built again: they are waited for although their files give trouble. */
  repairing(views: readonly string[]): void {
    this.#repaired = views;
    this.#lookAgain();
  }

  /** Nobody gets anywhere any more. */
  fail(fault: Fault): void {
    this.#lost = fault;
    for (const waiting of this.#waiting) waiting.reject(fault);
  }

  /**
   * Resolves when the views are at their goal. Views that are not there (switched off) are not waited for.
   * @returns those of all views that cannot get there now
   * @throws Fault `view_halted` when a named view cannot get there now; the signal's reason when it is aborted
   */
  reached(goal: Goal, signal?: AbortSignal): Promise<readonly LeftBehind[]> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(waiting);
        signal?.removeEventListener('abort', abort);
      };
      const waiting: Waiting = {
        ...goal,
        resolve: (leftBehind) => {
          end();
          resolve(leftBehind);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      };
      const abort = (): void => waiting.reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
      if (signal?.aborted === true) {
        abort();
        return;
      }
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiting);
      if (this.#lost !== null) waiting.reject(this.#lost);
      else this.#look(waiting);
    });
  }

  #lookAgain(): void {
    for (const waiting of this.#waiting) this.#look(waiting);
  }

  #look(waiting: Waiting): void {
    const { position, views, resolve, reject } = waiting;
    if (this.#places === null) return;
    const behind = this.#places.filter(
      (place) => (views?.includes(place.view) ?? true) && (place.position === null || comparePositions(place.position, position) < 0),
    );
    const stopped = behind.flatMap((place) => this.#stopped(place, waiting) ?? []);
    const [first] = stopped;
    if (views !== null && first !== undefined) {
      reject(new Fault('failed', 'view_halted', `The view ${first.view} has halted: ${first.why}`, { view: first.view }));
    } else if (stopped.length === behind.length) {
      resolve(stopped);
    }
  }

  /** @returns null when the view may still get there */
  #stopped({ view, halted, trouble }: ViewPlace, { wake }: Waiting): LeftBehind | null {
    if (halted !== null) return { view, why: halted };
    const isKnown = trouble !== null && this.#wake >= wake && !this.#repaired.includes(view);
    return isKnown ? { view, why: trouble } : null;
  }
}
