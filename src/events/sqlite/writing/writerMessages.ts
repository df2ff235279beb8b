import type { Door, NewEvent } from '../../envelope.js';
import type { ExpectedRevision } from '../../eventStore.js';
import type { StoreFailure } from '../../storeError.js';
import type { Breakage } from '../failureOf.js';
import type { AppendOutcome, AppendRequest } from './writer.js';

/** An event as an array: it crosses threads three times as quickly as an object, and nothing else can come along. */
type EventFields = readonly [
  id: string,
  type: string,
  version: number,
  occurredAt: number,
  actor: string,
  door: Door,
  onBehalfOf: string | null,
  correlation: string | null,
  causation: string | null,
  workspace: string,
  runner: string,
  data: string,
  boxes: string,
];

/** An append on its way to the writer's thread. */
export type PackedAppend = readonly [stream: string, expected: ExpectedRevision, now: number, ...events: EventFields[]];

/** Positions whose payloads are to be dropped. */
export interface Drop {
  readonly drop: readonly number[];
}

/** What the writer's thread is told: the appends of one tick, to drop payloads, to sweep, or to close; after what came before. */
export type ToWriter = readonly PackedAppend[] | Drop | 'sweep' | 'close';

/**
 * What the writer's thread says: first whether it could open the file, then the outcomes of appends, in the order in
 * which they were asked for.
 */
export type FromWriter =
  | { readonly opened: true }
  | { readonly opened: false; readonly failure: StoreFailure }
  | { readonly outcomes: PackedOutcomes; readonly breakage: Breakage | null }
  /** What came of dropping (true: all is dropped) or sweeping, in the order in which they were asked for. */
  | { readonly tidied: boolean | StoreFailure; readonly breakage: Breakage | null };

/** Outcomes as numbers, four for each: revision, position, recordedAt, and 1 for a duplicate; failures are listed apart. */
export interface PackedOutcomes {
  readonly numbers: Float64Array;
  readonly failures: ReadonlyMap<number, StoreFailure>;
}

export function packOutcomes(outcomes: readonly AppendOutcome[]): PackedOutcomes {
  const numbers = new Float64Array(outcomes.length * 4);
  const failures = new Map<number, StoreFailure>();
  for (const [index, outcome] of outcomes.entries()) {
    if ('code' in outcome) failures.set(index, outcome);
    else numbers.set([outcome.revision, Number(outcome.position), outcome.recordedAt, outcome.duplicate ? 1 : 0], index * 4);
  }
  return { numbers, failures };
}

export function unpackOutcomes({ numbers, failures }: PackedOutcomes): AppendOutcome[] {
  const at = (index: number): number => numbers[index] ?? 0;
  return Array.from({ length: numbers.length / 4 }, (_, index) => {
    const failure = failures.get(index);
    if (failure !== undefined) return failure;
    const first = index * 4;
    return { revision: at(first), position: String(at(first + 1)), recordedAt: at(first + 2), duplicate: at(first + 3) === 1 };
  });
}

export function pack(stream: string, expected: ExpectedRevision, now: number, events: readonly NewEvent[]): PackedAppend {
  return [stream, expected, now, ...events.map(fieldsOf)];
}

export function unpack(append: PackedAppend): AppendRequest {
  const [stream, expected, now] = append;
  return { stream, expected, now, events: (append.slice(3) as EventFields[]).map(eventOf) };
}

function fieldsOf(event: NewEvent): EventFields {
  return [
    event.id,
    event.type,
    event.version,
    event.occurredAt,
    event.actor,
    event.door,
    event.onBehalfOf,
    event.correlation,
    event.causation,
    event.workspace,
    event.runner,
    event.data,
    event.boxes,
  ];
}

function eventOf(fields: EventFields): NewEvent {
  return {
    id: fields[0],
    type: fields[1],
    version: fields[2],
    occurredAt: fields[3],
    actor: fields[4],
    door: fields[5],
    onBehalfOf: fields[6],
    correlation: fields[7],
    causation: fields[8],
    workspace: fields[9],
    runner: fields[10],
    data: fields[11],
    boxes: fields[12],
  };
}
