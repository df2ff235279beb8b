import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { catalogue } from '../../../src/events/catalogue/catalogue.js';
import { boxOpener } from '../../../src/projections/folding/boxOpener.js';
import { textLimit } from '../../../src/projections/callText/eventText.js';
import { callText } from '../../../src/projections/callText/projection.js';
import { ReadModel } from '../../../src/projections/readModel/readModel.js';
import { openReadModel } from '../../../src/projections/readModel/readModelFile.js';
import { toolCallLog } from '../../../src/projections/toolCallLog/projection.js';
import type { CallConditions, CallFilter } from '../../../src/projections/toolCallLog/queries.js';
import { countCalls } from '../../../src/projections/toolCallLog/countCalls.js';
import { matchingCalls } from '../../../src/projections/toolCallLog/matchingCalls.js';
import { searchCalls } from '../../../src/projections/toolCallLog/searchCalls.js';
import { admit, fail, loseTrack, refuse, remoteRoute, settle, succeed } from '../../support/projections/callEvents.js';
import { foldInto, modelInMemory } from '../../support/projections/foldedModel.js';
import { TestLedger } from '../../support/projections/testLedger.js';

function models(ledger: TestLedger, pageSize = 100): readonly [log: ReadModel, text: ReadModel] {
  const both = [modelInMemory(toolCallLog, ledger), modelInMemory(callText, ledger)] as const;
  foldInto(both, ledger, pageSize);
  return both;
}

function found(ledger: TestLedger, text: string, filter: Partial<CallFilter> = {}, pageSize = 100): readonly string[] {
  const [log, index] = models(ledger, pageSize);
  const { calls } = searchCalls(log.db, index.db, { limit: 100, order: 'oldest', text, ...filter });
  // However calls are found, they are counted and picked out alike.
  const conditions: CallConditions = { text, ...filter };
  const everywhere = ledger.events.map((_event, at) => at + 1);
  if (filter.limit === undefined && filter.cursor === undefined) {
    expect(countCalls(log.db, index.db, conditions)).toBe(calls.length);
    expect(matchingCalls(log.db, index.db, conditions, everywhere)).toHaveLength(calls.length);
  }
  return calls.map(({ callId }) => callId);
}

describe('the text of a call', () => {
  const ledger = new TestLedger();
  admit(
    ledger,
    'c1',
    { tool: 'fetch_page', route: remoteRoute('00000000-0000-7000-8000-000000000001', 'Archive'), parameters: { depth: 42 } },
    { personal: { arguments: { address: 'https://example.org/Zürich?q=blau', list: [{ deep: 'hidden' }] } } },
  );
  succeed(ledger, 'c1', { personal: { preview: 'The answer is\nforty-two' } });
  admit(ledger, 'c2', {}, { actor: 'bob' });
  fail(ledger, 'c2', 'bad_input', { actor: 'bob', personal: { error: 'Unexpected bracket', preview: 'partial output' } });
  refuse(ledger, 'c3', { tool: null }, { personal: { toolName: 'fech_page', detail: 'Did you mean another' } });
  admit(ledger, 'c4', {}, { personal: { arguments: { note: 'still running' } } });
  admit(ledger, 'c5');
  loseTrack(ledger, 'c5', { personal: { error: 'socket closed' } });
  settle(ledger, 'c5', 'failed', { personal: { because: 'checked by hand' } });

  it.each([
    ['the name of its tool', 'fetch_page', ['c1']],
    ['the name of its server', 'archive', ['c1']],
    ['clear parameters', '42', ['c1']],
    ['names of arguments', 'address', ['c1']],
    ['arguments, however deep', 'hidden', ['c1']],
    ['the preview of its result', 'forty', ['c1']],
    ['its error', 'bracket', ['c2']],
    ['the preview of a failure', 'partial', ['c2']],
    ['the name that was asked for', 'fech', ['c3']],
    ['what was said of a refusal', 'mean', ['c3']],
    ['what came before its end, while it runs', 'running', ['c4']],
    ['why an outcome is unknown', 'socket', ['c5']],
    ['why an unknown outcome was settled', 'checked hand', ['c5']],
    ['words of several events together', 'blau answer', ['c1']],
    ['words whatever their case and marks', 'ZURICH', ['c1']],
    ['a beginning', 'hid*', ['c1']],
    ['words that only other calls have', 'hidden bracket', []],
  ])('is found by %s', (_what, text, expected) => {
    expect(found(ledger, text)).toEqual(expected);
    expect(found(ledger, text, {}, 1)).toEqual(expected);
  });

  it('is found together with every filter, as the call stands now', () => {
    expect(found(ledger, 'dice', { outcome: 'failed' })).toEqual(['c2', 'c5']);
    expect(found(ledger, 'dice', { outcome: 'unknown' })).toEqual([]);
    expect(found(ledger, 'dice', { reason: 'timeout' })).toEqual(['c5']);
    expect(found(ledger, 'dice', { subject: 'bob' })).toEqual(['c2']);
    expect(found(ledger, 'dice', { outcome: 'open' })).toEqual(['c4']);
    expect(found(ledger, 'fetch', { server: 'Archive', tool: 'fetch_page', workspace: 'local' })).toEqual(['c1']);
    expect(found(ledger, 'fetch', { workspace: 'g1' })).toEqual([]);
  });

  it('comes in both orders and in pages', () => {
    const [log, index] = models(ledger);
    const first = searchCalls(log.db, index.db, { limit: 2, order: 'newest', text: 'dice' });
    expect(first.calls.map(({ callId }) => callId)).toEqual(['c5', 'c4']);
    const second = searchCalls(log.db, index.db, { limit: 2, order: 'newest', text: 'dice', cursor: first.cursor ?? '' });
    expect(second).toMatchObject({ calls: [{ callId: 'c2' }], cursor: null });
  });

  it('holds nothing of a person who was erased', () => {
    const erased = new TestLedger();
    admit(erased, 'c1', {}, { actor: 'ada', personal: { arguments: { note: 'private' } } });
    erased.erased.add('ada');
    expect(found(erased, 'private')).toEqual([]);
    expect(found(erased, 'dice')).toEqual(['c1']);
  });

  describe('of somebody who is erased later', () => {
    const people = new TestLedger();
    admit(people, 'c1', {}, { actor: 'ada', personal: { arguments: { note: 'private', same: 'common' } } });
    loseTrack(people, 'c1', { actor: 'ada', personal: { error: 'lost socket' } });
    settle(people, 'c1', 'failed', { actor: 'bob', personal: { because: 'bob looked at common things' } });
    admit(people, 'c2', {}, { actor: 'ada', personal: { arguments: 'private too' } });
    admit(people, 'c3', {}, { actor: 'bob', personal: { arguments: 'private of bob' } });
    people.add({ type: 'SubjectErased', data: { subject: 'ada' } }, { stream: 'ledger-privacy' });
    // The key is still there: the process died before it was destroyed.
    succeed(people, 'c2', { actor: 'ada', personal: { preview: 'private and late' } });

    it.each([1, 100])('loses their words at once and keeps those of others, in pages of %d', (pageSize) => {
      expect(found(people, 'private', {}, pageSize)).toEqual(['c3']);
      expect(found(people, 'socket', {}, pageSize)).toEqual([]);
      expect(found(people, 'common', {}, pageSize)).toEqual(['c1']);
      expect(found(people, 'dice', { subject: 'ada' }, pageSize)).toEqual(['c1', 'c2']);
    });

    it('leaves an index that finds exactly the others, whoever shares words with them', () => {
      const crowd = new TestLedger();
      const words = ['alpha', 'al', 'beta', 'gamma', 'delta', 'plain'];
      const calls = Array.from({ length: 60 }, (_, number) => ({
        id: `c${number}`,
        actor: ['ada', 'bob', 'cyd'][(number * 7) % 3] ?? 'ada',
        tool: number % 4 === 0 ? 'alpha' : 'dice',
        said: words.filter((_word, index) => ((number * 31 + index * 17) >> 1) % 3 === 0),
      }));
      for (const { id, actor, tool, said } of calls) admit(crowd, id, { tool }, { actor, personal: { arguments: said.join(' ') } });
      for (const { id, actor, said } of calls) if (id.length === 3) succeed(crowd, id, { actor, personal: { preview: said.join(' ') } });
      crowd.add({ type: 'SubjectErased', data: { subject: 'ada' } }, { stream: 'ledger-privacy' });
      const [log, index] = models(crowd, 7);
      for (const word of words) {
        const expected = calls.filter(({ actor, tool, said }) => tool === word || (actor !== 'ada' && said.includes(word))).map(({ id }) => id);
        expect(searchCalls(log.db, index.db, { limit: 100, order: 'oldest', text: word }).calls.map(({ callId }) => callId)).toEqual(expected);
      }
      for (const table of ['running', 'ended']) index.db.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('integrity-check', 1)`).run();
    });

    it('holds no byte of them in the file once it was swept', () => {
      const directory = mkdtempSync(join(tmpdir(), 'call-text-'));
      const db = openReadModel(directory, callText, () => undefined);
      foldInto([new ReadModel(callText, db, catalogue, boxOpener(people, catalogue))], people, 1);
      const bytes = (): string => readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1')).join('');
      expect(bytes()).toContain('socket');
      expect(callText.sweep?.(db)).toBe(true);
      expect(bytes()).not.toMatch(/socket|private too|private and late/);
      expect(bytes()).toContain('private of bob');
      db.close();
      rmSync(directory, { recursive: true });
    });

    it('says when a reader is in the way, and is clean once it is gone', () => {
      const directory = mkdtempSync(join(tmpdir(), 'call-text-'));
      const db = openReadModel(directory, callText, () => undefined);
      db.pragma('busy_timeout = 0');
      const model = new ReadModel(callText, db, catalogue, boxOpener(people, catalogue));
      foldInto([model], people, 1);
      const reader = new Database(join(directory, `callText@${callText.version}.db`), { readonly: true });
      const rows = reader.prepare('SELECT * FROM unended UNION ALL SELECT * FROM unended').iterate();
      rows.next();
      expect(callText.sweep?.(db)).toBe(false);
      rows.return?.();
      reader.close();
      expect(callText.sweep?.(db)).toBe(true);
      db.close();
      rmSync(directory, { recursive: true });
    });
  });

  it('is indexed up to a limit for each event', () => {
    const long = new TestLedger();
    admit(long, 'c1', {}, { personal: { arguments: `${'x '.repeat(textLimit / 2)} beyond` } });
    succeed(long, 'c1', { personal: { preview: 'afterwards' } });
    expect(found(long, 'beyond')).toEqual([]);
    expect(found(long, 'afterwards')).toEqual(['c1']);
  });

  it('leaves no trace of a running call in the small index when the call has ended', () => {
    const [, index] = models(ledger, 1);
    expect(index.db.prepare('SELECT rowid FROM running').pluck().all()).toEqual([6]);
    expect(index.db.prepare('SELECT call_id FROM unended').pluck().all()).toEqual(['c4']);
  });
});

describe('text without spaces between words', () => {
  const ledger = new TestLedger();
  const texts = ['東京都の天気を教えてください', '京都の天気', '今日は猫', 'カレーライス', '도구를 실행했습니다', 'ｶﾚｰ', '東京に行き、京都に泊まる'];
  texts.forEach((text, index) => admit(ledger, `c${index}`, {}, { personal: { arguments: text } }));

  it.each([
    ['東京都', ['c0']],
    ['京都', ['c0', 'c1', 'c6']],
    ['天気', ['c0', 'c1']],
    ['教えてください', ['c0']],
    ['猫', ['c2']],
    ['カレー', ['c3', 'c5']],
    ['ガレー', []],
    ['도구', ['c4']],
    ['天気 京都の', ['c0', 'c1']],
    ['行き、京都に', ['c6']],
    ['都の天気 行き', []],
    ['東京 泊まる', ['c6']],
    ['roll_dice東京', ['c0', 'c6']],
  ])('finds %s wherever it occurs', (text, expected) => {
    expect(found(ledger, text)).toEqual(expected);
  });
});

describe('what is typed', () => {
  const ledger = new TestLedger();
  admit(ledger, 'c1', {}, { workspace: 'g1', personal: { arguments: 'alpha beta OR NEAR near' } });
  succeed(ledger, 'c1');

  it.each(['', '   ', '*', '"', '()', '-', '^', ':', '\0', '\ud800', '\u{E000}', '𝔞'.slice(0, 1), '*'.repeat(50)])('is refused when it holds no word: %j', (text) => {
    expect(() => found(ledger, text)).toThrow(expect.objectContaining({ kind: 'usage', code: 'invalid_text' }));
  });

  it.each(['a*', 'ab*', 'x'.repeat(1001), Array.from({ length: 33 }, (_, index) => `w${index}`).join(' ')])('is refused when it would cost too much: %j', (text) => {
    expect(() => found(ledger, text)).toThrow(expect.objectContaining({ kind: 'usage', code: 'invalid_text' }));
  });

  it.each([
    ['alpha"', ['c1']],
    ['"alpha beta"', ['c1']],
    ['alpha AND beta', []],
    ['alpha OR', ['c1']],
    ['NEAR(alpha beta)', ['c1']],
    ['alpha NOT beta', []],
    ['text:alpha', []],
    ['{text filters}: alpha', []],
    ['^alpha', ['c1']],
    ['alpha + beta', ['c1']],
    ["alpha'; DROP TABLE ended; --", []],
    ['alp*ha', []],
    ['alpha* bet*', ['c1']],
    ['**alpha**', ['c1']],
    ['alpha\0beta', ['c1']],
    ['\ud800alpha', ['c1']],
    ['\u202ealpha', ['c1']],
  ])('is only words, never syntax: %j', (text, expected) => {
    expect(found(ledger, text)).toEqual(expected);
  });

  it('cannot name a filter value', () => {
    expect(() => found(ledger, '\u{E000}w\u{E13D}g1')).not.toThrow();
    expect(found(ledger, '\u{E000}w\u{E13D}g1')).toEqual([]);
  });
});
