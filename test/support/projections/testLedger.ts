import { createHash } from 'node:crypto';
import { sealBox } from '../../../src/events/box.js';
import { catalogue, type AnyEvent } from '../../../src/events/catalogue/catalogue.js';
import type { NewEvent, Position, RecordedEvent } from '../../../src/events/envelope.js';
import type { LedgerHead } from '../../../src/events/eventStore.js';
import { leafOf } from '../../../src/events/leaf.js';
import { stubEvent } from '../../../src/events/stub.js';
import type { JsonObject } from '../../../src/platform/json.js';
import type { SubjectKeys } from '../../../src/projections/folding/boxOpener.js';
import type { EventSource } from '../../../src/projections/folding/eventSource.js';

/** What a test may say of an event beside its type and data. */
export interface EventSettings {
  readonly stream?: string;
  readonly actor?: string;
  readonly onBehalfOf?: string | null;
  readonly workspace?: string;
  readonly correlation?: string | null;
  readonly recordedAt?: number;
  readonly version?: number;
  readonly personal?: JsonObject;
}

const start = Date.UTC(2026, 0, 1);

/** A ledger in an array, with the keys of everybody in it. */
export class TestLedger implements EventSource, SubjectKeys {
  readonly events: RecordedEvent[] = [];
  readonly erased = new Set<string>();

  add(event: AnyEvent, settings: EventSettings = {}): RecordedEvent {
    const version = catalogue.typeNamed(event.type)?.version ?? 1;
    return this.addRaw(event.type, JSON.stringify(event.data), { version, ...settings });
  }

  /** Adds an event whose type and data are not checked by anything. */
  addRaw(type: string, data: string, settings: EventSettings = {}): RecordedEvent {
    const number = this.events.length + 1;
    const stream = settings.stream ?? 'toolCall-1';
    const actor = settings.actor ?? 'ada';
    const id = `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
    const subject = settings.onBehalfOf ?? actor;
    const boxes =
      settings.personal === undefined ? '' : JSON.stringify([[subject, sealBox(keyFor(subject), { stream, eventId: id, subject }, settings.personal)]]);
    const event: NewEvent = {
      id,
      type,
      version: settings.version ?? 1,
      occurredAt: start,
      actor,
      door: 'cli',
      onBehalfOf: settings.onBehalfOf ?? null,
      correlation: settings.correlation ?? null,
      causation: null,
      workspace: settings.workspace ?? 'local',
      runner: 'r1',
      data,
      boxes,
    };
    const revision = this.events.filter((earlier) => earlier.stream === stream).length;
    const recordedAt = settings.recordedAt ?? start + number * 1000;
    const recorded = { ...event, stream, revision, recordedAt, position: String(number), leaf: leafOf(event, { stream, revision, recordedAt }) };
    this.events.push(recorded);
    return recorded;
  }

  /** Leaves stubs of events, by their ordinals. */
  drop(ordinals: readonly number[]): void {
    for (const ordinal of ordinals) {
      const event = this.events[ordinal - 1];
      if (event !== undefined) this.events[ordinal - 1] = stubEvent(event);
    }
  }

  keyOf(subject: string): Uint8Array | null {
    return this.erased.has(subject) ? null : keyFor(subject);
  }

  readStream(stream: string, from: number, limit: number): readonly RecordedEvent[] {
    return this.events.filter((event) => event.stream === stream && event.revision >= from).slice(0, limit);
  }

  readAll(after: Position | null, limit: number): readonly RecordedEvent[] {
    const from = Number(after ?? 0);
    return this.events.slice(from, from + limit);
  }

  head(): LedgerHead | null {
    return this.events.at(-1) ?? null;
  }

  leafAt(position: Position): Uint8Array | null {
    return this.events[Number(position) - 1]?.leaf ?? null;
  }

  countAfter(after: Position | null): number {
    return Math.max(0, this.events.length - Number(after ?? 0));
  }
}

function keyFor(subject: string): Uint8Array {
  return createHash('sha256').update(subject).digest();
}
