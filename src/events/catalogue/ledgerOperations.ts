import { z } from 'zod';
import { eventType, type EventOf } from './eventType.js';
import { code, sha256Hex, toolName } from './words.js';

/** An operator gave up on an event that a projection could not fold. */
const parkedEventSkipped = eventType({
  name: 'ParkedEventSkipped',
  data: z.strictObject({ projection: z.string(), position: z.string(), eventId: z.uuid() }),
  personal: null,
});

/** An operator went on with a ledger that has lost its newest events. */
const lossAccepted = eventType({
  name: 'LossAccepted',
  data: z.strictObject({
    /** The epoch that begins here, from 2. */
    epoch: z.int().min(2),
    /** The newest event that is still there, or null when none is. */
    kept: z.strictObject({ position: z.string(), leaf: sha256Hex }).nullable(),
    /** What is known to have been there: the furthest checkpoint that no longer matches. */
    missing: z.strictObject({ position: z.string(), leaf: sha256Hex, knownFrom: z.string() }),
  }),
  personal: null,
});

/** Forms in which events are handed out. */
export const exportFormats = ['jsonl', 'csv', 'cloudevents', 'ocsf'] as const;

/** Events were handed out to somebody. */
const exportMade = eventType({
  name: 'ExportMade',
  data: z.strictObject({
    /** Made anew for each export; the same when an interrupted one was gone on with. */
    exportId: z.uuid(),
    format: z.enum(exportFormats),
    /** What was asked for; absent: not filtered by it. Times are recordedAt, milliseconds since the epoch. */
    filter: z.strictObject({
      since: z.int().optional(),
      until: z.int().optional(),
      workspace: z.string().optional(),
      subject: z.string().optional(),
      tool: toolName.optional(),
      server: z.string().max(128).optional(),
      outcome: z.string().max(64).optional(),
      reason: code.optional(),
      /** Whether the calls were filtered by channel or text; which ones is for the person who asked. */
      more: z.boolean(),
    }),
    /** Whether personal values were handed out as well. */
    opened: z.boolean(),
    records: z.int().nonnegative(),
    /** Positions of the first and the last event handed out; null when none was. */
    first: z.string().nullable(),
    last: z.string().nullable(),
    bytes: z.int().nonnegative(),
    /** Of the whole output. */
    sha256: sha256Hex,
  }),
  personal: z.strictObject({ channel: z.string().optional(), text: z.string().optional() }),
});

export const ledgerOperationsTypes = [parkedEventSkipped, lossAccepted, exportMade] as const;

/** Stream `ledger-operations`. */
export type LedgerOperationsEvent = EventOf<(typeof ledgerOperationsTypes)[number]>;
