import type { Folded } from '../commands/commandHandler.js';
import type { Decider } from '../commands/decider.js';
import { catalogue } from '../events/catalogue/catalogue.js';
import type { RecordedEvent } from '../events/envelope.js';
import type { EventReader } from '../events/eventStore.js';

const pageSize = 500;

/** A stream as it once was: folded from its beginning for as long as events belong to that time. */
export async function foldedWhile<State, Event extends { readonly type: string }>(
  ledger: Pick<EventReader, 'readStream'>,
  { initialState, evolve }: Pick<Decider<never, State, Event, never>, 'initialState' | 'evolve'>,
  stream: string,
  belongs: (event: RecordedEvent) => boolean,
): Promise<Folded<State>> {
  let folded: Folded<State> = { state: initialState(), revision: null };
  for (;;) {
    const page = await ledger.readStream(stream, folded.revision === null ? 0 : folded.revision + 1, pageSize);
    for (const event of page) {
      if (!belongs(event)) return folded;
      folded = { state: evolve(folded.state, catalogue.decode(event) as unknown as Event, event), revision: event.revision };
    }
    if (page.length < pageSize) return folded;
  }
}
