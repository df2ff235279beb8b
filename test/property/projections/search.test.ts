import { describe, expect, it } from '@jest/globals';
import type { Database } from 'better-sqlite3';
import fc from 'fast-check';
import { callText } from '../../../src/projections/callText/projection.js';
import { toolCallLog } from '../../../src/projections/toolCallLog/projection.js';
import { callOutcomes, type CallFilter, type CallRow } from '../../../src/projections/toolCallLog/queries.js';
import { countCalls } from '../../../src/projections/toolCallLog/countCalls.js';
import { searchCalls } from '../../../src/projections/toolCallLog/searchCalls.js';
import { foldInto, modelInMemory } from '../../support/projections/foldedModel.js';
import { RandomHistory, steps } from '../../support/projections/randomHistory.js';

/** Mostly nothing, so that mixes often have matches. */
const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const maybe = <T>(...values: readonly T[]): fc.Arbitrary<T | undefined> => rarely(fc.constantFrom(...values));

const filters = fc.record({
  since: rarely(fc.integer({ min: 0, max: 70 })),
  until: rarely(fc.integer({ min: 0, max: 70 })),
  workspace: maybe('local', 'g1', 'g2', 'g3'),
  channel: maybe('5', '10', '95'),
  subject: maybe('ada', 'bob', 'cyd'),
  tool: maybe('dice', 'echo'),
  server: maybe('SERVER1', '00000000-0000-7000-8000-000000000002'),
  outcome: maybe(...callOutcomes),
  reason: maybe('switched_off', 'timeout', 'bad_input'),
});

const matches = (filter: Partial<CallFilter>) => (call: CallRow): boolean =>
  call.recordedAt >= (filter.since ?? -Infinity) &&
  call.recordedAt < (filter.until ?? Infinity) &&
  [call.workspace, undefined].includes(filter.workspace) &&
  [call.channel, undefined].includes(filter.channel) &&
  [call.actor, call.onBehalfOf, undefined].includes(filter.subject) &&
  [call.tool, undefined].includes(filter.tool) &&
  [call.serverId, call.serverName?.toUpperCase(), undefined].includes(filter.server) &&
  [call.outcome, undefined].includes(filter.outcome) &&
  [...call.reasons, undefined].includes(filter.reason);

/** Every filter alone: what a mix hides shows here. */
const single: readonly Partial<CallFilter>[] = [
  ...callOutcomes.map((outcome) => ({ outcome })),
  ...['switched_off', 'timeout', 'bad_input'].map((reason) => ({ reason })),
  ...['ada', 'cyd'].map((subject) => ({ subject })),
];

describe('a search', () => {
  it('gives exactly the calls that match, each once, in order, whatever the mix and the size of the pages', () => {
    fc.assert(
      fc.property(steps(70), fc.integer({ min: 1, max: 5 }), filters, fc.integer({ min: 1, max: 7 }), (taken, folding, picked, limit) => {
        const history = new RandomHistory();
        taken.forEach((step) => history.take(step));
        const [log, text] = [modelInMemory(toolCallLog, history.ledger), modelInMemory(callText, history.ledger)];
        foldInto([log, text], history.ledger, folding);
        const start = history.ledger.events[0]?.recordedAt ?? 0;
        const given = Object.entries(picked).filter(([, value]) => value !== undefined);
        const mix = Object.fromEntries(given.map(([name, value]) => [name, typeof value === 'number' ? start + value * 1000 : value])) as Partial<CallFilter>;
        for (const order of ['newest', 'oldest'] as const) {
          const all = searchCalls(log.db, null, { limit: 1000, order }).calls;
          for (const filter of [mix, ...single]) {
            const expected = all.filter(matches(filter));
            const read = (words: Partial<CallFilter>): readonly CallRow[] => everyPage(log.db, text.db, { ...filter, ...words, limit, order });
            expect(read({})).toEqual(expected);
            expect(countCalls(log.db, null, filter)).toBe(expected.length);
            // Every call's text holds the name of its tool.
            expect(read({ text: 'dice' })).toEqual(expected.filter(({ tool }) => tool === 'dice'));
          }
        }
        for (const { db } of [log, text]) db.close();
      }),
      { numRuns: 40 },
    );
  });
});

function everyPage(log: Database, text: Database, filter: CallFilter): readonly CallRow[] {
  const page = searchCalls(log, text, filter);
  return page.cursor === null ? page.calls : [...page.calls, ...everyPage(log, text, { ...filter, cursor: page.cursor })];
}
