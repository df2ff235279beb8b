/**
 * Through which door an act came in. `system` is the product itself: reactors, recovery.
 */
export const doors = ['cli', 'mcp', 'discord', 'console', 'system'] as const;
export type Door = (typeof doors)[number];

/** Stands as the actor of events that nobody asked for. Never the id of a person. */
export const systemSubject = 'system';

/**
 * Where an event lies in the whole ledger: opaque, chosen by the engine. Compare with `comparePositions` only.
 * The embedded engine uses gap-free integers from 1, as decimal strings.
 */
export type Position = string;

/** What the writer of an event says of it. Everything here is fixed before the append and never changes. */
export interface NewEvent {
  /** UUIDv7, 36 characters. The same id appended again with the same content is answered, not stored again. */
  readonly id: string;
  readonly type: string;
  /** Version of the type's schema that `data` follows, from 1. */
  readonly version: number;
  /** The caller's clock, milliseconds since the epoch. Shown, never used for filters or order. */
  readonly occurredAt: number;
  /** The subject who acted, or `system`. */
  readonly actor: string;
  readonly door: Door;
  /** The subject the actor acted for, when that is somebody else. */
  readonly onBehalfOf: string | null;
  /** The turn (or other piece of work) this belongs to. */
  readonly correlation: string | null;
  /** Id of the event that led to this one. */
  readonly causation: string | null;
  /** `local`, `g<guildId>` or `d<subject>`. */
  readonly workspace: string;
  /** The process instance that wrote it. */
  readonly runner: string;
  /** Clear JSON object as text: no personal values, no secrets. */
  readonly data: string;
  /** `''`, or the JSON text of `[[subject, base64 box], …]`: each person's values, sealed; at most one box a person. */
  readonly boxes: string;
}

/** An event as the ledger gives it back. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  /** Place in its stream, from 0 without gaps. */
  readonly revision: number;
  readonly position: Position;
  /** The writer's clock, milliseconds since the epoch. The time that every filter and every as-of means. */
  readonly recordedAt: number;
  /** RFC 6962 leaf hash, 32 bytes; see `leaf.ts`. */
  readonly leaf: Uint8Array;
}

/**
 * Orders two positions of the same engine.
 * @returns negative, zero or positive
 */
export function comparePositions(a: Position, b: Position): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
