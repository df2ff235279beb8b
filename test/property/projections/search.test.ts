import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { callText } from '../../../src/projections/callText/projection.js';
import { toolCallLog } from '../../../src/projections/toolCallLog/projection.js';
import { callOutcomes, type CallFilter, type CallRow } from '../../../src/projections/toolCallLog/queries.js';
import { searchCalls } from '../../../src/projections/toolCallLog/searchCalls.js';
import { foldInto, modelInMemory } from '../../support/projections/foldedModel.js';
import { RandomHistory, steps } from '../../support/projections/randomHistory.js';

const maybe = <T,>(...values: readonly T[]): fc.Arbitrary<T | undefined> => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });

const filters = fc.record({
  since: fc.option(fc.integer({ min: 0, max: 70 }), { nil: undefined, freq: 1 }),
  until: fc.option(fc.integer({ min: 0, max: 70 }), { nil: undefined, freq: 1 }),
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

describe('a search', () => {
  it('gives exactly the calls that match, each once, in order, whatever the mix and the size of the pages', () => {
    fc.assert(
      fc.property(steps(70), filters, fc.boolean(), fc.boolean(), fc.integer({ min: 1, max: 7 }), (taken, picked, newest, withText, limit) => {
        const history = new RandomHistory();
        taken.forEach((step) => history.take(step));
        const [log, text] = [modelInMemory(toolCallLog, history.ledger), modelInMemory(callText, history.ledger)];
        foldInto([log, text], history.ledger, 9);
        const order = newest ? 'newest' : 'oldest';
        const start = history.ledger.events[0]?.recordedAt ?? 0;
        const given = Object.entries(picked).filter(([, value]) => value !== undefined);
        const times = given.map(([name, value]) => [name, typeof value === 'number' ? start + value * 1000 : value]);
        const filter = Object.fromEntries(times) as Partial<CallFilter>;
        const all = searchCalls(log.db, null, { limit: 1000, order }).calls;
        const found: CallRow[] = [];
        let cursor: string | null = null;
        do {
          // Every call's text holds the name of its tool.
          const word = withText ? { text: 'dice' } : {};
          const page = searchCalls(log.db, text.db, { ...filter, ...word, limit, order, ...(cursor === null ? {} : { cursor }) });
          found.push(...page.calls);
          cursor = page.cursor;
        } while (cursor !== null);
        const expected = all.filter(matches(filter)).filter(({ tool }) => !withText || tool === 'dice');
        expect(found.map(({ callId }) => callId)).toEqual(expected.map(({ callId }) => callId));
        for (const { db } of [log, text]) db.close();
      }),
      { numRuns: 300 },
    );
  });
});
