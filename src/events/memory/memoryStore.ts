import type { Clock } from '../../platform/time/clock.js';
import { AppendListeners } from '../appendListeners.js';
import { checkAppend } from '../checkAppend.js';
import type { NewEvent, Position, RecordedEvent } from '../envelope.js';
import type { AppendResult, EventStore, ExpectedRevision } from '../eventStore.js';
import { leafOf } from '../leaf.js';
import { stubEvent } from '../stub.js';
import { EventStoreError } from '../storeError.js';

/** Keeps events in memory, for tests and trials: durable only as long as the process. Promises what the embedded engine promises. */
export function memoryStore({ clock }: { readonly clock: Clock }): EventStore {
  const all: RecordedEvent[] = [];
  const streams = new Map<string, RecordedEvent[]>();
  const byId = new Map<string, RecordedEvent>();
  const listeners = new AppendListeners();
  let closed = false;

  function refuseWhenClosed(): void {
    if (closed) throw new EventStoreError({ code: 'unavailable', detail: 'it was closed' });
  }

  function known(stream: string, expected: ExpectedRevision, head: number, events: readonly NewEvent[]): AppendResult {
    const first = expected === 'noStream' ? 0 : expected + 1;
    const places = events.map((event) => byId.get(event.id));
    for (const [index, event] of events.entries()) {
      const place = places[index];
      if (place !== undefined && !isSame(place, stream, first + index, event)) {
        throw new EventStoreError({ code: 'event_id_conflict', eventId: event.id, stream });
      }
    }
    const last = places.at(-1);
    if (last === undefined || places.includes(undefined)) {
      throw new EventStoreError({ code: 'wrong_expected_revision', stream, expected, actual: head < 0 ? null : head });
    }
    return { revision: last.revision, position: last.position, recordedAt: last.recordedAt, duplicate: true };
  }

  function append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): AppendResult {
    refuseWhenClosed();
    checkAppend(stream, expected, events);
    const before = streams.get(stream) ?? [];
    const head = before.length - 1;
    if (head !== (expected === 'noStream' ? -1 : expected)) return known(stream, expected, head, events);
    const used = events.find((event) => byId.has(event.id));
    if (used !== undefined) throw new EventStoreError({ code: 'event_id_conflict', eventId: used.id, stream });

    const recordedAt = Math.max(clock.now(), all.at(-1)?.recordedAt ?? 0);
    const stored = events.map((event, index): RecordedEvent => {
      const at = { stream, revision: head + 1 + index, recordedAt };
      return { ...event, ...at, position: String(all.length + 1 + index), leaf: leafOf(event, at) };
    });
    all.push(...stored);
    streams.set(stream, [...before, ...stored]);
    for (const event of stored) byId.set(event.id, event);
    return { revision: head + events.length, position: String(all.length), recordedAt, duplicate: false };
  }

  return {
    append: async (stream, expected, events) => {
      const result = append(stream, expected, events);
      if (!result.duplicate) listeners.tell(result.position);
      return result;
    },
    readStream: async (stream, from, limit) => {
      refuseWhenClosed();
      return (streams.get(stream) ?? []).slice(from, from + limit);
    },
    readAll: async (after, limit) => {
      refuseWhenClosed();
      return all.slice(indexAfter(after), indexAfter(after) + limit);
    },
    head: async () => {
      refuseWhenClosed();
      const last = all.at(-1);
      return last === undefined ? null : { position: last.position, recordedAt: last.recordedAt, leaf: last.leaf };
    },
    leafAt: async (position) => {
      refuseWhenClosed();
      return all.find((event) => event.position === position)?.leaf ?? null;
    },
    countAfter: async (after) => {
      refuseWhenClosed();
      return Math.max(0, all.length - indexAfter(after));
    },
    dropPayloads: async (positions) => {
      refuseWhenClosed();
      const events = positions.map((position) => {
        const event = all[indexAfter(position) - 1];
        if (event === undefined) throw new EventStoreError({ code: 'corrupt', detail: 'no event lies here', position });
        return event;
      });
      for (const { id, stream, revision, position, recordedAt, leaf } of events) {
        const stub = stubEvent({ id, stream, revision, position, recordedAt, leaf });
        all[indexAfter(position) - 1] = stub;
        streams.get(stream)?.splice(revision, 1, stub);
        byId.set(id, stub);
      }
    },
    sweepDropped: async () => {
      refuseWhenClosed();
      return true;
    },
    onAppended: (listener) => listeners.add(listener),
    writable: () => (closed ? { ok: false, cause: 'closed', detail: 'it was closed' } : { ok: true }),
    close: async () => {
      closed = true;
    },
  };
}

function isSame(place: RecordedEvent, stream: string, revision: number, event: NewEvent): boolean {
  if (place.stream !== stream || place.revision !== revision) return false;
  return Buffer.from(place.leaf).equals(leafOf(event, { stream, revision, recordedAt: place.recordedAt }));
}

/** The index of the first event after a position, which is the position itself. */
function indexAfter(after: Position | null): number {
  if (after === null) return 0;
  if (/^[1-9][0-9]{0,15}$/.test(after)) return Number(after);
  throw new EventStoreError({ code: 'corrupt', detail: 'this is not a position of this ledger', position: after });
}
