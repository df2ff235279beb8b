import type { z } from 'zod';
import type { JsonObject } from '../../platform/json.js';
import type * as words from './words.js';

/** Lifts stored content of one schema version to the next. Pure; never guesses, never reads a clock. */
export type Upcaster = (content: JsonObject) => JsonObject;

/** What schemas are made of. */
export type Words = typeof words;

/**
 * A schema, made when something of its type is first recorded: making all of them costs each start and each thread more
 * than whatever else they do, and who only reads events needs none. See `schemas.ts`.
 */
export type Schema<Content extends z.ZodType = z.ZodType> = (words: Words) => Content;

/** A type of event: its name, its current schema, and how older versions become current. */
export interface EventType<Name extends string = string, Data extends z.ZodType = z.ZodType> {
  readonly name: Name;
  /** Current version of the schema, from 1. */
  readonly version: number;
  /** Clear data: no personal values, no secrets. */
  readonly data: Schema<Data>;
  /** What one person's box of this event holds; null when it has no boxes. */
  readonly personal: Schema | null;
  /** `upcasters[i]` lifts clear data of version i+1 to i+2; there are exactly `version - 1` of them. */
  readonly upcasters: readonly Upcaster[];
  /** The same for the content of boxes; as many as for the data, or none when the type never had boxes. */
  readonly personalUpcasters: readonly Upcaster[];
}

/** Declares an event type; versions above 1 bring the upcasters of all earlier ones. */
export function eventType<Name extends string, Data extends z.ZodType>(
  declaration: { name: Name; data: Schema<Data>; personal: Schema | null } & Partial<Pick<EventType, 'version' | 'upcasters' | 'personalUpcasters'>>,
): EventType<Name, Data> {
  return { version: 1, upcasters: [], personalUpcasters: [], ...declaration };
}

/** The domain event of a type: what deciders and folds see of it. */
export type EventOf<T extends EventType> = T extends EventType<infer Name, infer Data> ? { readonly type: Name; readonly data: z.output<Data> } : never;
