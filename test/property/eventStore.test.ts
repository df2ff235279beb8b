import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RecordedEvent } from '../../src/events/envelope.js';
import type { ExpectedRevision } from '../../src/events/eventStore.js';
import { memoryStore } from '../../src/events/memory/memoryStore.js';
import { openSqliteReader } from '../../src/events/sqlite/reading/sqliteReader.js';
import { type AppendOutcome, type AppendRequest, Writer } from '../../src/events/sqlite/writing/writer.js';
import { EventStoreError } from '../../src/events/storeError.js';
import { testEvent } from '../support/events.js';
import { ledgerDirectory, openLedger, request } from '../support/ledgerFile.js';

type Step = { readonly do: 'append'; readonly batch: AppendRequest[] } | { readonly do: 'reopen' };

// Few streams, ids and contents, so that conflicts and retries are as common as successes.
const event = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom('{}', '{"other":1}'));
const expected = fc.oneof(fc.constant<ExpectedRevision>('noStream'), fc.integer({ min: 0, max: 4 }));
const append = fc
  .record({
    stream: fc.constantFrom('a', 'b', 'c'),
    expected,
    events: fc.uniqueArray(event, { minLength: 1, maxLength: 3, selector: ([number]) => number }),
    now: fc.integer({ min: 0, max: 50 }),
  })
  .map(({ stream, expected, events, now }) => request(stream, expected, events.map(([number, data]) => testEvent(number, { data })), now));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.array(append, { minLength: 1, maxLength: 6 }).map((batch): Step => ({ do: 'append', batch })) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'reopen' }) },
);

describe('the writer, given any appends in any batches and restarts', () => {
  it('answers and stores what one append after the other on the memory engine gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const at = ledgerDirectory();
        try {
          const { answers, stored } = runOnSqlite(at.file, steps);
          const model = await runOnModel(steps);
          expect(answers).toEqual(model.answers);
          expect(stored).toEqual(model.stored);
          expect(stored.map(({ position }) => Number(position))).toEqual(stored.map((_, index) => index + 1));
        } finally {
          at.remove();
        }
      }),
      { numRuns: 60, seed: 20_261_130 },
    );
  });
});

function runOnSqlite(file: string, steps: readonly Step[]): { answers: AppendOutcome[]; stored: RecordedEvent[] } {
  const answers: AppendOutcome[] = [];
  let writer = new Writer(openLedger(file));
  for (const step of steps) {
    if (step.do === 'append') {
      answers.push(...writer.commit(step.batch));
    } else {
      writer.close();
      writer = new Writer(openLedger(file));
    }
  }
  const reader = openSqliteReader(file);
  const stored = reader.readAll(null, 1_000);
  reader.close();
  writer.close();
  return { answers, stored };
}

async function runOnModel(steps: readonly Step[]): Promise<{ answers: AppendOutcome[]; stored: readonly RecordedEvent[] }> {
  let now = 0;
  const model = memoryStore({ clock: { now: () => now } });
  const answers: AppendOutcome[] = [];
  for (const { stream, expected, events, now: asked } of steps.flatMap((step) => (step.do === 'append' ? step.batch : []))) {
    now = asked;
    try {
      answers.push(await model.append(stream, expected, events));
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      answers.push(error.failure);
    }
  }
  return { answers, stored: await model.readAll(null, 1_000) };
}
