import type { z } from 'zod';
import type { EventType } from './eventType.js';
import * as words from './words.js';

/** What an event of a type must be to be recorded. */
export interface Schemas {
  readonly data: z.ZodType;
  readonly personal: z.ZodType | null;
}

const made = new WeakMap<EventType, Schemas>();

/** The schemas of a type, made at the first time. */
export function schemasOf(type: EventType): Schemas {
  const known = made.get(type);
  if (known !== undefined) return known;
  const schemas = { data: type.data(words), personal: type.personal?.(words) ?? null };
  made.set(type, schemas);
  return schemas;
}
