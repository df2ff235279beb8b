import type { EventStore } from '../../events/eventStore.js';
import type { Schedule } from '../../platform/time/schedule.js';
import type { Sealer } from './sealer.js';
import { systemOrigin } from '../../commands/commandHandler.js';

/** How often it is looked whether so many events were added, in milliseconds. */
const lookMs = 1_000;

export interface SealingReactorParts {
  readonly sealer: Pick<Sealer, 'seal' | 'unsealed'>;
  readonly store: Pick<EventStore, 'onAppended'>;
  readonly schedule: Schedule;
  /** Seals when so many events were added, */
  readonly everyEvents: number;
  /** or so many milliseconds after something was. */
  readonly everyMs: number;
  readonly warn: (fields: { readonly [name: string]: unknown }, message: string) => void;
}

const origin = systemOrigin('local');

/**
 * Seals by itself while it runs, beginning with what is unsealed already. It never seals because of a seal.
 * @returns seals what is left and ends; to be called when nothing is added any more
 */
export function startSealing({ sealer, store, schedule, everyEvents, everyMs, warn }: SealingReactorParts): () => Promise<void> {
  let cancel: (() => void) | null = null;
  let waitedMs = 0;
  let looking: Promise<void> = Promise.resolve();
  let ended = false;

  function wait(ms: number): void {
    if (ended) return;
    cancel = schedule(ms, () => {
      waitedMs += ms;
      looking = look();
    });
  }

  async function look(): Promise<void> {
    try {
      const unsealed = await sealer.unsealed();
      if (unsealed >= everyEvents || (unsealed > 0 && waitedMs >= everyMs)) {
        waitedMs = 0;
        await sealer.seal(origin);
      }
      cancel = null;
      if ((await sealer.unsealed()) > 0) wait(Math.min(lookMs, everyMs));
      else waitedMs = 0;
    } catch (error) {
      warn({ error }, 'the ledger could not be sealed; it is tried again');
      waitedMs = 0;
      wait(everyMs);
    }
  }

  const unsubscribe = store.onAppended(() => {
    if (cancel === null) wait(Math.min(lookMs, everyMs));
  });
  wait(Math.min(lookMs, everyMs));

  return async () => {
    ended = true;
    unsubscribe();
    cancel?.();
    await looking;
    try {
      if ((await sealer.unsealed()) > 0) await sealer.seal(origin);
    } catch (error) {
      warn({ error }, 'the ledger could not be sealed at the end; the next start does it');
    }
  };
}
