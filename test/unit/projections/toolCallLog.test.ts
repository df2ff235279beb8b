import { describe, expect, it } from '@jest/globals';
import { callsOfTurn } from '../../../src/projections/toolCallLog/callsOfTurn.js';
import { countCalls } from '../../../src/projections/toolCallLog/countCalls.js';
import { matchingCalls } from '../../../src/projections/toolCallLog/matchingCalls.js';
import { openCalls } from '../../../src/projections/toolCallLog/openCalls.js';
import { toolCallLog } from '../../../src/projections/toolCallLog/projection.js';
import type { CallFilter, CallRow } from '../../../src/projections/toolCallLog/queries.js';
import { searchCalls } from '../../../src/projections/toolCallLog/searchCalls.js';
import { admit, cancel, fail, loseTrack, refuse, remoteRoute, settle, succeed } from '../../support/projections/callEvents.js';
import { folded, foldInto, modelInMemory } from '../../support/projections/foldedModel.js';
import { TestLedger } from '../../support/projections/testLedger.js';

const everything: CallFilter = { limit: 100, order: 'oldest' };

function rowsOf(ledger: TestLedger, filter: Partial<CallFilter> = {}): readonly CallRow[] {
  return searchCalls(folded(toolCallLog, ledger, 1).db, null, { ...everything, ...filter }).calls;
}

const idsOf = (ledger: TestLedger, filter: Partial<CallFilter>): readonly string[] => rowsOf(ledger, filter).map(({ callId }) => callId);

describe('a row of the call log', () => {
  it('holds everything known of a call that is running', () => {
    const ledger = new TestLedger();
    admit(
      ledger,
      'c1',
      { tool: 'search', route: remoteRoute('00000000-0000-7000-8000-00000000aaaa', 'Web'), channel: '42' },
      { actor: 'ada', onBehalfOf: 'bob', workspace: 'g7', correlation: 't1', recordedAt: 5000 },
    );
    expect(rowsOf(ledger)).toEqual([
      {
        callId: 'c1',
        recordedAt: 5000,
        endedAt: null,
        workspace: 'g7',
        channel: '42',
        actor: 'ada',
        door: 'cli',
        onBehalfOf: 'bob',
        turn: 't1',
        tool: 'search',
        serverId: '00000000-0000-7000-8000-00000000aaaa',
        serverName: 'Web',
        outcome: 'open',
        reasons: [],
        durationMs: null,
      },
    ]);
  });

  it('says how the call ended, when, and why', () => {
    const ledger = new TestLedger();
    const endings = [succeed, cancel, loseTrack];
    endings.forEach((end, index) => {
      admit(ledger, `c${index}`);
      end(ledger, `c${index}`, { recordedAt: 9_000_000_000_000 + index });
    });
    admit(ledger, 'c3');
    fail(ledger, 'c3', 'bad_input', { recordedAt: 9_000_000_000_003 });
    refuse(ledger, 'c4', { reasons: ['switched_off', 'workspace_closed'] }, { recordedAt: 9_000_000_000_004 });
    expect(rowsOf(ledger).map(({ outcome, endedAt, durationMs, reasons }) => [outcome, (endedAt ?? 0) - 9_000_000_000_000, durationMs, reasons])).toEqual([
      ['succeeded', 0, 7, []],
      ['cancelled', 1, 3, []],
      ['unknown', 2, 30, ['timeout']],
      ['failed', 3, 9, ['bad_input']],
      ['refused', 4, null, ['switched_off', 'workspace_closed']],
    ]);
  });

  it('counts a settled unknown as what it was settled to, and keeps when and why it was unknown', () => {
    const ledger = new TestLedger();
    admit(ledger, 'c1');
    loseTrack(ledger, 'c1', { recordedAt: 8_000_000_000_000 });
    settle(ledger, 'c1', 'failed', { recordedAt: 9_000_000_000_000 });
    expect(rowsOf(ledger)).toMatchObject([{ outcome: 'failed', reasons: ['timeout'], endedAt: 8_000_000_000_000, durationMs: 30 }]);
    expect(idsOf(ledger, { outcome: 'unknown' })).toEqual([]);
    expect(idsOf(ledger, { outcome: 'failed', reason: 'timeout' })).toEqual(['c1']);
  });

  it('is the same whether its events come in one page or each alone', () => {
    const ledger = new TestLedger();
    admit(ledger, 'c1');
    admit(ledger, 'c2');
    loseTrack(ledger, 'c1');
    succeed(ledger, 'c2');
    settle(ledger, 'c1', 'succeeded');
    const alone = searchCalls(folded(toolCallLog, ledger, 1).db, null, everything);
    expect(alone).toEqual(searchCalls(folded(toolCallLog, ledger, 100).db, null, everything));
  });
});

describe('searching the call log', () => {
  const ledger = new TestLedger();
  const everywhere = remoteRoute('00000000-0000-7000-8000-0000000000AB', 'Everything');
  admit(ledger, 'c1', { tool: 'roll_dice', channel: '1' }, { actor: 'ada', workspace: 'g1' });
  succeed(ledger, 'c1');
  admit(ledger, 'c2', { tool: 'echo', route: everywhere, channel: '2' }, { actor: 'bot', onBehalfOf: 'ada', workspace: 'g1' });
  fail(ledger, 'c2', 'rate_limited');
  refuse(ledger, 'c3', { tool: null, reasons: ['unknown_tool'] }, { actor: 'bob', workspace: 'g2' });
  admit(ledger, 'c4', { tool: 'echo', route: everywhere }, { actor: 'bob', workspace: 'g2' });

  it.each<[string, Partial<CallFilter>, readonly string[]]>([
    ['nothing', {}, ['c1', 'c2', 'c3', 'c4']],
    ['workspace', { workspace: 'g1' }, ['c1', 'c2']],
    ['channel', { channel: '2' }, ['c2']],
    ['subject, as actor or as the one it was for', { subject: 'ada' }, ['c1', 'c2']],
    ['tool', { tool: 'echo' }, ['c2', 'c4']],
    ['server by name, whatever its case', { server: 'everything' }, ['c2', 'c4']],
    ['server by id', { server: '00000000-0000-7000-8000-0000000000ab' }, ['c2', 'c4']],
    ['outcome', { outcome: 'open' }, ['c4']],
    ['reason', { reason: 'unknown_tool' }, ['c3']],
    ['several at once', { tool: 'echo', workspace: 'g2' }, ['c4']],
    ['a mix that no call has', { tool: 'roll_dice', workspace: 'g2' }, []],
    ['a value that never occurred', { tool: 'nothing' }, []],
  ])('by %s', (_what, filter, expected) => {
    expect(idsOf(ledger, filter)).toEqual(expected);
    expect(idsOf(ledger, { ...filter, order: 'newest' })).toEqual([...expected].reverse());
    expect(countCalls(folded(toolCallLog, ledger).db, null, filter)).toBe(expected.length);
  });

  it('counts within times, also where a stretch cuts what one bitmap covers', () => {
    const { db } = folded(toolCallLog, ledger);
    const at = rowsOf(ledger).map(({ recordedAt }) => recordedAt);
    expect(countCalls(db, null, { since: at[1] ?? 0 })).toBe(3);
    expect(countCalls(db, null, { since: at[1] ?? 0, until: at[3] ?? 0 })).toBe(2);
    expect(countCalls(db, null, { until: at[3] ?? 0, tool: 'echo' })).toBe(1);
    expect(countCalls(db, null, { since: (at[3] ?? 0) + 1 })).toBe(0);
  });

  it('tells of given places those whose call matches', () => {
    const { db } = folded(toolCallLog, ledger);
    // Events 1 to 6: c1 begins and ends, c2 begins and ends, c3 is refused, c4 begins.
    const everyPlace = [9_000, 6, 5, 4, 3, 2, 1];
    expect(matchingCalls(db, null, { tool: 'echo' }, everyPlace).toSorted()).toEqual([3, 6]);
    expect(matchingCalls(db, null, { tool: 'echo' }, [6])).toEqual([6]);
    expect(matchingCalls(db, null, { tool: 'echo' }, [])).toEqual([]);
  });

  it('takes times as recorded, from since up to but without until', () => {
    const at = rowsOf(ledger).map(({ recordedAt }) => recordedAt);
    expect(idsOf(ledger, { since: at[1] ?? 0 })).toEqual(['c2', 'c3', 'c4']);
    expect(idsOf(ledger, { until: at[1] ?? 0 })).toEqual(['c1']);
    expect(idsOf(ledger, { since: at[1] ?? 0, until: at[3] ?? 0, workspace: 'g2' })).toEqual(['c3']);
    expect(idsOf(ledger, { since: (at[3] ?? 0) + 1 })).toEqual([]);
  });

  it.each([0, -1, 1.5, 1001, Number.NaN])('refuses a limit of %s', (limit) => {
    expect(() => rowsOf(ledger, { limit })).toThrow(expect.objectContaining({ kind: 'usage', code: 'invalid_limit' }));
  });

  it.each(['', 'x', 'bm90IGEgY3Vyc29y', '../../etc', '\0', 'MTpvbGRlc3Q6MQ'.repeat(2)])('refuses the cursor %j', (cursor) => {
    expect(() => rowsOf(ledger, { cursor })).toThrow(expect.objectContaining({ kind: 'usage', code: 'invalid_cursor' }));
  });

  it('refuses a cursor of the other order', () => {
    const { cursor } = searchCalls(folded(toolCallLog, ledger).db, null, { limit: 1, order: 'newest' });
    expect(() => rowsOf(ledger, { cursor: cursor ?? '', order: 'oldest' })).toThrow(expect.objectContaining({ code: 'foreign_cursor' }));
  });

  it('refuses a cursor of another filter, and takes it with other times or another page size', () => {
    const { db } = folded(toolCallLog, ledger);
    const searched: CallFilter = { limit: 1, order: 'newest', subject: 'ada', since: 0 };
    const cursor = searchCalls(db, null, searched).cursor ?? '';
    expect(searchCalls(db, null, { ...searched, cursor, since: 1, limit: 9 }).calls.map(({ callId }) => callId)).toEqual(['c1']);
    for (const other of [{ subject: 'bob' }, { workspace: 'g1' }, { until: 9_000_000_000_000 }]) {
      expect(() => searchCalls(db, null, { ...searched, ...other, cursor })).toThrow(expect.objectContaining({ kind: 'usage', code: 'foreign_cursor' }));
    }
  });

  it('says that text cannot be searched when that is switched off', () => {
    expect(() => rowsOf(ledger, { text: 'word' })).toThrow(expect.objectContaining({ code: 'text_search_off' }));
  });

  it('gives each call once, and none is missed, while calls arrive between the pages', () => {
    const growing = new TestLedger();
    for (let index = 0; index < 10; index += 1) admit(growing, `c${index}`, {}, { workspace: index % 2 === 0 ? 'g1' : 'g2' });
    for (const [order, filter] of [['newest', {}], ['oldest', {}], ['newest', { workspace: 'g1' }], ['oldest', { workspace: 'g1' }]] as const) {
      const model = modelInMemory(toolCallLog, growing);
      const before = growing.events.filter(({ workspace }) => filter.workspace === undefined || workspace === filter.workspace).length;
      foldInto([model], growing);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = searchCalls(model.db, null, { limit: 3, order, ...filter, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...page.calls.map(({ callId }) => callId));
        cursor = page.cursor ?? undefined;
        if (growing.events.length < 200) admit(growing, `late${growing.events.length}`, {}, { workspace: 'g1' });
        foldInto([model], growing);
      } while (cursor !== undefined && seen.length < 300);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => id.startsWith('c'))).toHaveLength(filter.workspace === undefined ? 10 : 5);
      if (order === 'oldest') expect(seen.length).toBeGreaterThan(before);
    }
  });
});

describe('the calls of a turn', () => {
  const ledger = new TestLedger();
  admit(ledger, 'c1', {}, { correlation: 't1' });
  admit(ledger, 'c2', {}, { correlation: 't2' });
  refuse(ledger, 'c3', {}, { correlation: 't1' });
  admit(ledger, 'c4', {}, { correlation: 't1', workspace: 'g1' });
  admit(ledger, 'c5');

  it.each([0, 2, 4])('are found around the time of any of them, oldest first, in their workspace only', (at) => {
    const turn = { workspace: 'local', turn: 't1', around: ledger.events[at]?.recordedAt ?? 0 };
    expect(callsOfTurn(folded(toolCallLog, ledger).db, turn).map(({ callId }) => callId)).toEqual(['c1', 'c3']);
  });
});

describe('calls without an ending', () => {
  it('are listed oldest first, without those whose outcome is unknown', () => {
    const ledger = new TestLedger();
    for (const id of ['c1', 'c2', 'c3', 'c4']) admit(ledger, id, {}, { workspace: 'g1' });
    succeed(ledger, 'c2');
    loseTrack(ledger, 'c3');
    expect(openCalls(folded(toolCallLog, ledger).db).map(({ callId, workspace }) => [callId, workspace])).toEqual([
      ['c1', 'g1'],
      ['c4', 'g1'],
    ]);
  });
});
