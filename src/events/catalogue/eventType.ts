import type { z } from 'zod';
import type { JsonObject } from '../../platform/json.js';

/** Lifts stored content of one schema version to the next. Pure; never guesses, never reads a clock. */
export type Upcaster = (content: JsonObject) => JsonObject;

/** A type of event: its name, its current schema, and how older versions become current. */
export interface EventType<
  Name extends string = string,
  Data extends z.ZodType = z.ZodType,
  Personal extends z.ZodType | null = z.ZodType | null,
> {
  readonly name: Name;
  /** Current version of the schema, from 1. */
  readonly version: number;
  /** Clear data: no personal values, no secrets. */
  readonly data: Data;
  /** What one person's box of this event holds; null when it has no boxes. */
  readonly personal: Personal;
  /** `upcasters[i]` lifts clear data of version i+1 to i+2; there are exactly `version - 1` of them. */
  readonly upcasters: readonly Upcaster[];
  /** The same for the content of boxes; as many as for the data, or none when the type never had boxes. */
  readonly personalUpcasters: readonly Upcaster[];
}

/** Declares an event type; versions above 1 bring the upcasters of all earlier ones. */
export function eventType<Name extends string, Data extends z.ZodType, Personal extends z.ZodType | null>(
  declaration: { name: Name; data: Data; personal: Personal } & Partial<
    Pick<EventType, 'version' | 'upcasters' | 'personalUpcasters'>
  >,
): EventType<Name, Data, Personal> {
  return { version: 1, upcasters: [], personalUpcasters: [], ...declaration };
}

/** The domain event of a type: what deciders and folds see of it. */
export type EventOf<T extends EventType> = T extends EventType<infer Name, infer Data, z.ZodType | null>
  ? { readonly type: Name; readonly data: z.output<Data> }
  : never;
