import type { NewEvent } from '../../src/events/envelope.js';
import type { AppendResult, EventStore, ExpectedRevision } from '../../src/events/eventStore.js';

type Append = (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) => Promise<AppendResult>;

/** A store that notes what is asked of it, and whose next appends a test may answer differently. */
export interface WatchedStore extends EventStore {
  /** Every append asked for, also the ones that failed. */
  readonly appends: { readonly stream: string; readonly expected: ExpectedRevision; readonly ids: readonly string[] }[];
  /** Every page read of a stream. */
  readonly reads: { readonly stream: string; readonly from: number }[];
  /** Each of the next appends is answered by one of these, which may pass it on to the real store. */
  onNextAppends(...answers: ((append: () => Promise<AppendResult>) => Promise<AppendResult>)[]): void;
}

export function watchedStore(store: EventStore): WatchedStore {
  const answers: ((append: () => Promise<AppendResult>) => Promise<AppendResult>)[] = [];
  const watched: Pick<WatchedStore, 'appends' | 'reads'> = { appends: [], reads: [] };
  const append: Append = (stream, expected, events) => {
    watched.appends.push({ stream, expected, ids: events.map((event) => event.id) });
    const pass = () => store.append(stream, expected, events);
    return (answers.shift() ?? ((real) => real()))(pass);
  };
  return {
    ...store,
    ...watched,
    append,
    readStream(stream, from, limit) {
      watched.reads.push({ stream, from });
      return store.readStream(stream, from, limit);
    },
    onNextAppends: (...more) => void answers.push(...more),
  };
}
