import type { Door, RecordedEvent } from '../../envelope.js';
import { stubEvent } from '../../stub.js';
import { uuidOfHex } from '../writing/uuidBytes.js';

/** The columns of `EventRow`, for a SELECT. Bytes come as hex: a short string is made quicker than a buffer. */
export const rowColumns =
  'position, lower(hex(event_id)), stream, revision, type, version, occurred_at, recorded_at, actor, door, ' +
  'on_behalf_of, correlation, causation, workspace, runner, data, boxes, lower(hex(leaf))';

/** One event as SQLite's raw mode gives it: plain values only, so that it crosses threads cheaply. */
export type EventRow = [
  position: number,
  idHex: string,
  stream: string,
  revision: number,
  type: string,
  version: number,
  occurredAt: number,
  recordedAt: number,
  actor: string,
  door: Door,
  onBehalfOf: string | null,
  correlation: string | null,
  causation: string | null,
  workspace: string,
  runner: string,
  data: string,
  boxes: string,
  leafHex: string,
];

/** Whether a row is a stub, of which only id, place, time and leaf are there. */
export function isStub(row: EventRow): boolean {
  return (row[4] as string | null) === null;
}

/** The event that a row holds. */
export function eventOfRow(row: EventRow): RecordedEvent {
  if (isStub(row)) return stubOfRow(row);
  return {
    id: uuidOfHex(row[1]),
    stream: row[2],
    revision: row[3],
    position: String(row[0]),
    type: row[4],
    version: row[5],
    occurredAt: row[6],
    recordedAt: row[7],
    actor: row[8],
    door: row[9],
    onBehalfOf: row[10],
    correlation: row[11],
    causation: row[12],
    workspace: row[13],
    runner: row[14],
    data: row[15],
    boxes: row[16],
    leaf: Buffer.from(row[17], 'hex'),
  };
}

function stubOfRow(row: EventRow): RecordedEvent {
  return stubEvent({ id: uuidOfHex(row[1]), stream: row[2], revision: row[3], position: String(row[0]), recordedAt: row[7], leaf: Buffer.from(row[17], 'hex') });
}
