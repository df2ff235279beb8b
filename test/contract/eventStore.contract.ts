import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { comparePositions, type NewEvent, type Position } from '../../src/events/envelope.js';
import { type EventStore, maxAppendBytes } from '../../src/events/eventStore.js';
import { leafOf } from '../../src/events/leaf.js';
import type { Clock } from '../../src/platform/time/clock.js';
import { failureOf, testEvent, testId } from '../support/events.js';

/** An engine under test, on storage of its own that starts empty. */
export interface StoreUnderTest {
  readonly open: (clock: Clock) => Promise<EventStore>;
  readonly cleanUp: () => Promise<void>;
}

class SetClock implements Clock {
  time = 1_000;
  now(): number {
    return this.time;
  }
}

/** What `EventStore` promises, whatever the engine. */
export function describeEventStore(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`${name} keeps the promises of the port`, () => {
    const clock = new SetClock();
    let under: StoreUnderTest;
    let store: EventStore;
    beforeEach(async () => {
      clock.time = 1_000;
      under = await make();
      store = await under.open(clock);
    });
    afterEach(async () => {
      await store.close();
      await under.cleanUp();
    });

    it('gives back an event exactly as it was given, with its place, time and leaf', async () => {
      const given = testEvent(1, {
        onBehalfOf: 's-2',
        correlation: 'turn-1',
        causation: testId(99),
        door: 'discord',
        data: '{"text":"Würfel 骰子 🎲 \\u0000 \\ud800"}',
        boxes: '[["s-2","AAAA"]]',
      });
      const answer = await store.append('toolCall-a', 'noStream', [given]);
      expect(answer).toMatchObject({ revision: 0, recordedAt: 1_000, duplicate: false });
      const [read, ...others] = await store.readStream('toolCall-a', 0, 10);
      expect(others).toEqual([]);
      const at = { stream: 'toolCall-a', revision: 0, recordedAt: 1_000 };
      expect({ ...read, leaf: Buffer.from(read?.leaf ?? []) }).toEqual({
        ...given,
        ...at,
        position: answer.position,
        leaf: leafOf(given, at),
      });
      expect(await store.readAll(null, 10)).toEqual([read]);
    });

    describe('when payloads are dropped', () => {
      const secret = testEvent(2, { data: '{"text":"gone for good"}', boxes: '[["s-1","AAAA"]]' });

      it('keeps places, ids, times and leaves, and gives back stubs that say nothing else', async () => {
        await store.append('toolCall-a', 'noStream', [testEvent(1), secret, testEvent(3)]);
        const before = await store.readAll(null, 10);
        await store.dropPayloads([before[1]?.position ?? '']);
        const after = await store.readAll(null, 10);
        expect(after.map(({ position, id, revision, recordedAt, leaf }) => ({ position, id, revision, recordedAt, leaf }))).toEqual(
          before.map(({ position, id, revision, recordedAt, leaf }) => ({ position, id, revision, recordedAt, leaf })),
        );
        expect(after.map(({ type, data, boxes }) => [type, data, boxes])).toEqual(
          before.map(({ type, data, boxes }, index) => (index === 1 ? ['PayloadDropped', '{}', ''] : [type, data, boxes])),
        );
        expect(await store.readStream('toolCall-a', 0, 10)).toEqual(after);
        expect(await store.leafAt(before[1]?.position ?? '')).toEqual(before[1]?.leaf);
      });

      it('still answers the same append, refuses other content under the id, and goes on after it', async () => {
        await store.append('toolCall-a', 'noStream', [secret]);
        const [event] = await store.readAll(null, 1);
        await store.dropPayloads([event?.position ?? '']);
        await store.dropPayloads([event?.position ?? '']);
        expect(await store.append('toolCall-a', 'noStream', [secret])).toMatchObject({ revision: 0, duplicate: true });
        expect(await failureOf(store.append('toolCall-a', 'noStream', [{ ...secret, data: '{}' }]))).toMatchObject({ code: 'event_id_conflict' });
        expect(await failureOf(store.append('toolCall-a', 'noStream', [testEvent(5)]))).toMatchObject({ code: 'wrong_expected_revision', actual: 0 });
        expect(await store.append('toolCall-a', 0, [testEvent(6)])).toMatchObject({ revision: 1, duplicate: false });
      });

      it('takes what they left out of the storage, and keeps all else', async () => {
        const { position } = await store.append('toolCall-a', 'noStream', [testEvent(1), secret]);
        await store.dropPayloads([position]);
        const before = await store.readAll(null, 10);
        expect(await store.sweepDropped()).toBe(true);
        expect(await store.readAll(null, 10)).toEqual(before);
        expect(await store.append('toolCall-a', 1, [testEvent(3)])).toMatchObject({ revision: 2, duplicate: false });
      });

      it('drops all or none: a place without an event is named', async () => {
        await store.append('toolCall-a', 'noStream', [secret]);
        const [event] = await store.readAll(null, 1);
        expect(await failureOf(store.dropPayloads([event?.position ?? '', '77']))).toMatchObject({ code: 'corrupt', position: '77' });
        expect((await store.readAll(null, 1))[0]).toMatchObject({ type: secret.type });
        expect(store.writable()).toEqual({ ok: true });
        expect(await store.append('toolCall-b', 'noStream', [testEvent(7)])).toMatchObject({ duplicate: false });
      });
    });

    it('appends several events in their order, with one time', async () => {
      await store.append('a', 'noStream', [testEvent(1)]);
      const answer = await store.append('a', 0, [testEvent(2), testEvent(3)]);
      expect(answer.revision).toBe(2);
      const read = await store.readStream('a', 0, 10);
      expect(read.map((event) => [event.id, event.revision, event.recordedAt])).toEqual([
        [testId(1), 0, 1_000],
        [testId(2), 1, 1_000],
        [testId(3), 2, 1_000],
      ]);
      expect(read.at(-1)?.position).toBe(answer.position);
    });

    it.each<[string, string, 'noStream' | number, number | null]>([
      ['a stream that is already there', 'there', 'noStream', 1],
      ['an older revision', 'there', 0, 1],
      ['a revision that does not exist yet', 'there', 2, 1],
      ['a revision of a stream that does not exist', 'missing', 0, null],
    ])('refuses an append to %s and stores nothing', async (_, stream, expected, actual) => {
      await store.append('there', 'noStream', [testEvent(1), testEvent(2)]);
      const failure = await failureOf(store.append(stream, expected, [testEvent(3), testEvent(4)]));
      expect(failure).toEqual({ code: 'wrong_expected_revision', stream, expected, actual });
      expect(await store.countAfter(null)).toBe(2);
    });

    it('answers the same events at the same place again without storing them again', async () => {
      const events = [testEvent(2), testEvent(3)];
      await store.append('a', 'noStream', [testEvent(1)]);
      const first = await store.append('a', 0, events);
      await store.append('a', 2, [testEvent(4)]);
      clock.time = 9_000;
      expect(await store.append('a', 0, events)).toEqual({ ...first, duplicate: true });
      expect(await store.countAfter(null)).toBe(4);
    });

    it('lets one of two writers with the same expectation win', async () => {
      await store.append('a', 'noStream', [testEvent(1)]);
      const [one, other] = await Promise.allSettled([store.append('a', 0, [testEvent(2)]), store.append('a', 0, [testEvent(3)])]);
      expect([one.status, other.status].sort()).toEqual(['fulfilled', 'rejected']);
      expect(await store.countAfter(null)).toBe(2);
    });

    it('lets one bad append fail alone among many at once', async () => {
      await store.append('taken', 'noStream', [testEvent(1)]);
      const settled = await Promise.allSettled([
        store.append('a', 'noStream', [testEvent(10)]),
        store.append('taken', 'noStream', [testEvent(11)]),
        store.append('b', 'noStream', [testEvent(12), testEvent(13)]),
        store.append('c', 5, [testEvent(14)]),
        store.append('d', 'noStream', [testEvent(15)]),
      ]);
      expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
      const ids = (await store.readAll(null, 10)).map((event) => event.id);
      expect(ids).toEqual([1, 10, 12, 13, 15].map(testId));
    });

    it('keeps the order of appends that were asked for one after the other without waiting', async () => {
      const revisions = await Promise.all(
        Array.from({ length: 50 }, (_, index) => store.append('a', index === 0 ? 'noStream' : index - 1, [testEvent(index)])),
      );
      expect(revisions.map(({ revision }) => revision)).toEqual(Array.from({ length: 50 }, (_, index) => index));
    });

    it('reads a stream in pages', async () => {
      await store.append('a', 'noStream', [1, 2, 3, 4, 5].map((number) => testEvent(number)));
      const page = async (from: number, limit: number): Promise<number[]> =>
        (await store.readStream('a', from, limit)).map(({ revision }) => revision);
      expect(await page(0, 2)).toEqual([0, 1]);
      expect(await page(2, 10)).toEqual([2, 3, 4]);
      expect(await page(5, 10)).toEqual([]);
      expect(await store.readStream('missing', 0, 10)).toEqual([]);
    });

    it('reads everything in order, in pages of any size, and counts what is left', async () => {
      const count = 300;
      for (let number = 0; number < count; number += 3) {
        await store.append(`s-${number}`, 'noStream', [number, number + 1, number + 2].map((n) => testEvent(n)));
      }
      const seen: string[] = [];
      let after: Position | null = null;
      for (;;) {
        expect(await store.countAfter(after)).toBe(count - seen.length);
        const page = await store.readAll(after, 70);
        if (page.length === 0) break;
        for (const event of page) {
          if (after !== null) expect(comparePositions(event.position, after)).toBeGreaterThan(0);
          after = event.position;
          seen.push(event.id);
        }
      }
      expect(seen).toEqual(Array.from({ length: count }, (_, number) => testId(number)));
    });

    it('knows its head and the leaf at a position', async () => {
      expect(await store.head()).toBeNull();
      const first = await store.append('a', 'noStream', [testEvent(1)]);
      clock.time = 2_000;
      const { position } = await store.append('b', 'noStream', [testEvent(2)]);
      const [one, two] = await store.readAll(null, 2);
      expect(await store.head()).toEqual({ position, recordedAt: 2_000, leaf: two?.leaf });
      expect(await store.leafAt(first.position)).toEqual(one?.leaf);
      expect(await store.leafAt('999')).toBeNull();
    });

    it('tells listeners of commits until they stop listening, whatever they throw', async () => {
      const told: Position[] = [];
      store.onAppended(() => {
        throw new Error('a listener of a bad sort');
      });
      const stop = store.onAppended((position) => told.push(position));
      const { position } = await store.append('a', 'noStream', [testEvent(1)]);
      await store.append('a', 'noStream', [testEvent(1)]);
      await failureOf(store.append('a', 7, [testEvent(2)]));
      // Listeners are told after those who waited for the append.
      await new Promise((resolve) => setImmediate(resolve));
      stop();
      await store.append('b', 'noStream', [testEvent(3)]);
      expect(told).toEqual([position]);
    });

    it('takes an append of exactly the largest size and refuses one byte more', async () => {
      const data = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;
      const half = maxAppendBytes / 2;
      await store.append('a', 'noStream', [testEvent(1, { data: data(half) }), testEvent(2, { data: data(half) })]);
      const failure = await failureOf(
        store.append('b', 'noStream', [testEvent(3, { data: data(half) }), testEvent(4, { data: data(half + 1) })]),
      );
      expect(failure).toEqual({ code: 'append_too_large', stream: 'b', bytes: maxAppendBytes + 1, limit: maxAppendBytes });
      expect((await store.readStream('a', 1, 1))[0]?.data.length).toBe(half);
    });

    it('lets waiting appends finish when it closes, and refuses what comes later', async () => {
      const waiting = store.append('a', 'noStream', [testEvent(1)]);
      const closing = store.close();
      expect((await failureOf(store.append('a', 0, [testEvent(2)]))).code).toBe('unavailable');
      expect(await waiting).toMatchObject({ revision: 0 });
      await closing;
      await store.close();
      expect(store.writable()).toMatchObject({ ok: false, cause: 'closed' });
      expect((await failureOf(store.head())).code).toBe('unavailable');
    });

    it('says that it can be written', () => {
      expect(store.writable()).toEqual({ ok: true });
    });
  });

  describe(`${name} takes only what it can keep`, () => {
    let under: StoreUnderTest;
    let store: EventStore;
    beforeAll(async () => {
      under = await make();
      store = await under.open(new SetClock());
    });
    afterAll(async () => {
      await store.close();
      await under.cleanUp();
    });

    const tooLong = 'x'.repeat(513);
    it.each<[string, string, 'noStream' | number, NewEvent[]]>([
      ['no events', 'a', 'noStream', []],
      ['an empty stream name', '', 'noStream', [testEvent(1)]],
      ['a stream name of 513 characters', tooLong, 'noStream', [testEvent(1)]],
      ['a NUL in the stream name', 'a\0b', 'noStream', [testEvent(1)]],
      ['half a character in the stream name', 'a\ud800', 'noStream', [testEvent(1)]],
      ['an expected revision below zero', 'a', -1, [testEvent(1)]],
      ['an expected revision that is not whole', 'a', 0.5, [testEvent(1)]],
      ['an id that is no UUID', 'a', 'noStream', [testEvent(1, { id: 'one' })]],
      ['an id in capitals', 'a', 'noStream', [testEvent(1, { id: testId(1).toUpperCase() })]],
      ['the same id twice', 'a', 'noStream', [testEvent(1), testEvent(1)]],
      ['an empty type', 'a', 'noStream', [testEvent(1, { type: '' })]],
      ['a version of zero', 'a', 'noStream', [testEvent(1, { version: 0 })]],
      ['a time that is no number', 'a', 'noStream', [testEvent(1, { occurredAt: Number.NaN })]],
      ['an actor of 513 characters', 'a', 'noStream', [testEvent(1, { actor: tooLong })]],
      ['half a character in the data', 'a', 'noStream', [testEvent(1, { data: '{"a":"\udc00"}' })]],
      ['a line break in the data', 'a', 'noStream', [testEvent(1, { data: '{\n}' })]],
      ['a NUL in the boxes', 'a', 'noStream', [testEvent(1, { boxes: '\0' })]],
    ])('refuses %s', async (_, stream, expected, events) => {
      const failure = await failureOf(store.append(stream, expected, events));
      expect(failure.code).toBe('invalid_append');
      expect(JSON.stringify(failure).length).toBeLessThan(500);
      expect(await store.head()).toBeNull();
    });
  });
}

/**
 * What the embedded engine promises beyond the port.
 * @param keeps whether events outlive closing, so that `open` finds them again
 */
export function describeEmbeddedPromises(name: string, keeps: boolean, make: () => Promise<StoreUnderTest>): void {
  describe(`${name} promises more than the port`, () => {
    const clock = new SetClock();
    let under: StoreUnderTest;
    let store: EventStore;
    beforeEach(async () => {
      clock.time = 1_000;
      under = await make();
      store = await under.open(clock);
    });
    afterEach(async () => {
      await store.close();
      await under.cleanUp();
    });
    const reopen = async (): Promise<void> => {
      if (!keeps) return;
      await store.close();
      store = await under.open(clock);
    };

    it('hands out whole numbers from 1 as positions, without gaps, also after refusals', async () => {
      await store.append('a', 'noStream', [testEvent(1), testEvent(2)]);
      await failureOf(store.append('a', 'noStream', [testEvent(3), testEvent(4)]));
      await failureOf(store.append('b', 'noStream', [testEvent(5), testEvent(1)]));
      await reopen();
      await store.append('b', 'noStream', [testEvent(6)]);
      expect((await store.readAll(null, 10)).map(({ position }) => position)).toEqual(['1', '2', '3']);
    });

    it('never lets recordedAt decrease when the clock is set back', async () => {
      clock.time = 5_000;
      await store.append('a', 'noStream', [testEvent(1)]);
      clock.time = 3_000;
      expect((await store.append('b', 'noStream', [testEvent(2)])).recordedAt).toBe(5_000);
      await reopen();
      expect((await store.append('c', 'noStream', [testEvent(3)])).recordedAt).toBe(5_000);
      clock.time = 6_000;
      expect((await store.append('d', 'noStream', [testEvent(4)])).recordedAt).toBe(6_000);
    });

    it('still knows after a restart what it stored', async () => {
      const first = await store.append('a', 'noStream', [testEvent(1), testEvent(2)]);
      await reopen();
      expect(await store.append('a', 'noStream', [testEvent(1), testEvent(2)])).toEqual({ ...first, duplicate: true });
    });

    const changes: Array<Partial<NewEvent>> = [
      { type: 'Other' },
      { version: 2 },
      { occurredAt: 1 },
      { actor: 's-9' },
      { door: 'mcp' },
      { onBehalfOf: 's-9' },
      { correlation: 'turn-9' },
      { causation: testId(9) },
      { workspace: 'g1' },
      { runner: 'runner-9' },
      { data: '{}' },
      { boxes: '[["s-1","BBBB"]]' },
    ];
    it('refuses a known id when anything the caller gives is another', async () => {
      await store.append('a', 'noStream', [testEvent(1)]);
      await reopen();
      for (const change of changes) {
        const failure = await failureOf(store.append('a', 'noStream', [testEvent(1, change)]));
        expect(failure).toEqual({ code: 'event_id_conflict', eventId: testId(1), stream: 'a' });
      }
    });

    it.each<[string, string, 'noStream' | number, NewEvent[]]>([
      ['in another stream', 'b', 'noStream', [testEvent(2)]],
      ['later in the same stream', 'a', 2, [testEvent(2)]],
      ['at another revision', 'a', 'noStream', [testEvent(2)]],
      ['behind an event that is new', 'b', 'noStream', [testEvent(7), testEvent(2)]],
    ])('refuses a known id %s', async (_, stream, expected, events) => {
      await store.append('a', 'noStream', [testEvent(1), testEvent(2), testEvent(3)]);
      await reopen();
      expect(await failureOf(store.append(stream, expected, events))).toMatchObject({ code: 'event_id_conflict', eventId: testId(2) });
      expect(await store.countAfter(null)).toBe(3);
    });

    it('takes a longer append that only begins like a stored one for a conflict of revisions', async () => {
      await store.append('a', 'noStream', [testEvent(1)]);
      expect((await failureOf(store.append('a', 'noStream', [testEvent(1), testEvent(2)]))).code).toBe('wrong_expected_revision');
    });

    it('refuses an id that two appends of one moment share', async () => {
      const settled = await Promise.allSettled([
        store.append('a', 'noStream', [testEvent(1)]),
        store.append('b', 'noStream', [testEvent(1)]),
        store.append('c', 'noStream', [testEvent(2)]),
      ]);
      expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });
  });
}
