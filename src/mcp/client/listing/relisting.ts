import type { Schedule } from '../../../platform/time/schedule.js';

/** Shortest time between two listings because a server says that its tools changed, in milliseconds. */
const restMs = 1_000;

/**
 * Says when a server's tools are to be listed again. However often the server says that they changed, at most one more
 * listing is waiting while one is under way, and listings keep a distance; until then the last one holds.
 */
export class Relisting {
  readonly #schedule: Schedule;
  #changed = false;
  #resting = false;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** The server said that its tools changed. */
  changed(): void {
    this.#changed = true;
  }

  /** Whether it is time to list again. */
  get due(): boolean {
    return this.#changed && !this.#resting;
  }

  /** A listing begins: what changes from here on is for the next one. */
  begin(): void {
    this.#changed = false;
    this.#resting = true;
    this.#schedule(restMs, () => {
      this.#resting = false;
    });
  }
}
