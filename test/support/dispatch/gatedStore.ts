import type { NewEvent } from '../../../src/events/envelope.js';
import type { EventStore } from '../../../src/events/eventStore.js';
import { EventStoreError, type StoreFailure } from '../../../src/events/storeError.js';

type Matches = (events: readonly NewEvent[]) => boolean;

/** An event store whose appends can be held up or made to fail. */
export interface GatedStore extends EventStore {
  /** Holds up the next append that has an event of this type; `reached` resolves when it is there. */
  hold(type: string): { readonly reached: Promise<void>; release(): void };
  /** Lets appends that have an event of this type fail until the returned function is called. */
  fail(type: string, failure: StoreFailure): () => void;
  /** Types of the events of each append that was stored. */
  readonly appends: (readonly string[])[];
}

export function gatedStore(store: EventStore): GatedStore {
  const holds = new Set<{ readonly matches: Matches; readonly reached: () => void; readonly open: Promise<void> }>();
  const failures = new Set<{ readonly matches: Matches; readonly failure: StoreFailure }>();
  const appends: (readonly string[])[] = [];
  const has = (type: string): Matches => (events) => events.some((event) => event.type === type);
  return {
    ...store,
    appends,
    async append(stream, expected, events) {
      for (const hold of holds) {
        if (!hold.matches(events)) continue;
        holds.delete(hold);
        hold.reached();
        await hold.open;
      }
      for (const { matches, failure } of failures) if (matches(events)) throw new EventStoreError(failure);
      const result = await store.append(stream, expected, events);
      appends.push(events.map((event) => event.type));
      return result;
    },
    writable: () => (failures.size === 0 ? store.writable() : { ok: false, cause: 'disk_full', detail: 'no space left' }),
    hold(type) {
      let reached = (): void => undefined;
      let release = (): void => undefined;
      const isReached = new Promise<void>((resolve) => (reached = resolve));
      const open = new Promise<void>((resolve) => (release = resolve));
      holds.add({ matches: has(type), reached, open });
      return { reached: isReached, release: () => release() };
    },
    fail(type, failure) {
      const entry = { matches: has(type), failure };
      failures.add(entry);
      return () => failures.delete(entry);
    },
  };
}
