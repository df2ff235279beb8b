import { LRUCache } from 'lru-cache';
import type { Catalogue } from '../../events/catalogue/catalogue.js';
import type { EventReader } from '../../events/eventStore.js';
import { newestFirst } from '../../events/newestFirst.js';
import type { Folded } from '../commandHandler.js';
import type { Decider } from '../decider.js';

const pageSize = 500;

/** The part of a decider that folds a stream. */
export type Folding<State, Event extends { readonly type: string }> = Pick<Decider<never, State, Event, never>, 'initialState' | 'evolve' | 'beginsAnew'>;

/** Folded streams in memory, so that the cost of a command does not grow with the age of its stream. */
export interface KeptFolds {
  /** What is kept of a stream: its beginning up to a revision. `behind`: known not to be all of it, or not known to be. */
  kept<State, Event extends { readonly type: string }>(
    folding: Folding<State, Event>,
    stream: string,
  ): { readonly folded: Folded<State>; readonly behind: boolean } | undefined;
  /** Reads what is newer than the kept part, folds and keeps it. */
  read<State, Event extends { readonly type: string }>(folding: Folding<State, Event>, stream: string): Promise<Folded<State>>;
  /** Keeps a fold that is known to be all of the stream now. */
  keep<State, Event extends { readonly type: string }>(folding: Folding<State, Event>, stream: string, folded: Folded<State>): void;
  /** What is kept of the stream is of no use any more. */
  forget(stream: string): void;
  /** The stream may have grown past what is kept of it. */
  markBehind(stream: string): void;
}

interface Entry {
  /** Whose fold it is: another decider's state of the same stream is of no use. */
  readonly evolve: unknown;
  readonly folded: Folded<unknown>;
  behind: boolean;
}

/** @param size most streams kept; the least recently used goes first */
export function makeKeptFolds(reader: Pick<EventReader, 'readStream'>, catalogue: Catalogue, size: number): KeptFolds {
  const entries = new LRUCache<string, Entry>({ max: size });

  function kept<State, Event extends { readonly type: string }>(folding: Folding<State, Event>, stream: string) {
    const entry = entries.get(stream);
    if (entry?.evolve !== folding.evolve) return undefined;
    return entry as Entry & { readonly folded: Folded<State> };
  }

  function keep<State, Event extends { readonly type: string }>(folding: Folding<State, Event>, stream: string, folded: Folded<State>) {
    entries.set(stream, { evolve: folding.evolve, folded, behind: false });
  }

  /** The beginning of a stream that needs to be folded no more, as if it had been. */
  async function beginning<State, Event extends { readonly type: string }>(folding: Folding<State, Event>, stream: string): Promise<Folded<State>> {
    const state = folding.initialState();
    if (folding.beginsAnew === undefined) return { state, revision: null };
    for await (const event of newestFirst(reader, stream)) {
      if (folding.beginsAnew(catalogue.decode(event) as unknown as Event)) return { state, revision: event.revision === 0 ? null : event.revision - 1 };
    }
    return { state, revision: null };
  }

  return {
    kept,
    keep,
    forget: (stream) => void entries.delete(stream),
    markBehind(stream) {
      const entry = entries.get(stream);
      if (entry !== undefined) entry.behind = true;
    },
    async read(folding, stream) {
      let { state, revision } = kept(folding, stream)?.folded ?? (await beginning(folding, stream));
      for (;;) {
        const page = await reader.readStream(stream, revision === null ? 0 : revision + 1, pageSize);
        for (const event of page) {
          state = folding.evolve(state, catalogue.decode(event) as unknown as Parameters<typeof folding.evolve>[1], event);
          revision = event.revision;
        }
        if (page.length < pageSize) break;
      }
      const folded = { state, revision };
      keep(folding, stream, folded);
      return folded;
    },
  };
}
