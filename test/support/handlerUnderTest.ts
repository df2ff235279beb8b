import { createHash } from 'node:crypto';
import type { Origin } from '../../src/commands/commandHandler.js';
import { makeCommandHandler, type CommandHandlerParts } from '../../src/commands/handler/ledgerCommandHandler.js';
import { catalogue } from '../../src/events/catalogue/catalogue.js';
import { memoryStore } from '../../src/events/memory/memoryStore.js';
import { watchedStore } from './watchedStore.js';

/** Who acts in handler tests. */
export const origin: Origin = { actor: 'subject-1', door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null };

/** The key that the test key store has for a subject. */
export function testKey(subject: string): Buffer {
  return createHash('sha256').update(subject).digest();
}

/** Ids in order: …0001, …0002. Two handlers on one store need two series. */
export function countingIds(series = '8000'): () => string {
  let last = 0;
  return () => `0198c0de-0000-7000-${series}-${String((last += 1)).padStart(12, '0')}`;
}

/** A handler on a watched memory store, with a clock the test sets; parts can be replaced. */
export function handlerUnderTest(parts: Partial<CommandHandlerParts> = {}) {
  const clock = { time: 5_000, now: () => clock.time };
  const store = watchedStore(memoryStore({ clock: { now: () => clock.time + 1 } }));
  const own: CommandHandlerParts = {
    store,
    keys: { keyOf: async (subject) => testKey(subject) },
    catalogue,
    clock,
    newId: countingIds(),
    runner: 'runner-1',
    cacheSize: 100,
  };
  return { clock, store, handler: makeCommandHandler({ ...own, ...parts }) };
}
