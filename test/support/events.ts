import type { NewEvent } from '../../src/events/envelope.js';
import { EventStoreError, type StoreFailure } from '../../src/events/storeError.js';

/** A UUIDv7-shaped id that says which number it was made from. */
export function testId(number: number): string {
  return `0190c0de-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

/** An event as a test wants it; everything not given is the same every time. */
export function testEvent(number: number, given: Partial<NewEvent> = {}): NewEvent {
  return {
    id: testId(number),
    type: 'ToolCallAdmitted',
    version: 1,
    occurredAt: 1_700_000_000_000,
    actor: 's-1',
    door: 'cli',
    onBehalfOf: null,
    correlation: null,
    causation: null,
    workspace: 'local',
    runner: 'runner-1',
    data: `{"n":${number}}`,
    boxes: '',
    ...given,
  };
}

/** How a store refused; fails when it did not refuse. */
export async function failureOf(asked: Promise<unknown>): Promise<StoreFailure> {
  const error: unknown = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof EventStoreError) return error.failure;
  throw new Error('it did not fail as a store fails', { cause: error });
}
