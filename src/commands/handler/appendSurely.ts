import type { NewEvent } from '../../events/envelope.js';
import type { AppendResult, EventStore, ExpectedRevision } from '../../events/eventStore.js';
import { isStoreFailure, type EventStoreError } from '../../events/storeError.js';

const tries = 4;

/**
 * Appends, and asks again with the same ids when nobody can say whether it was stored: the store answers what it has.
 * @throws EventStoreError of the store; once an outcome was unknown, `outcome_unknown` unless the store denies it
 */
export async function appendSurely(
  store: Pick<EventStore, 'append'>,
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): Promise<AppendResult> {
  let unknown: EventStoreError | null = null;
  for (let left = tries; ; left -= 1) {
    try {
      return await store.append(stream, expected, events);
    } catch (error) {
      if (isStoreFailure(error, 'outcome_unknown')) unknown = error;
      if (unknown === error && left > 1) continue;
      throw unknown === null || isStoreFailure(error, 'wrong_expected_revision') ? error : unknown;
    }
  }
}
