import { eventType, type EventOf } from './eventType.js';

/** An operator gave up on an event that a projection could not fold. */
const parkedEventSkipped = eventType({
  name: 'ParkedEventSkipped',
  data: ({ z }) => z.strictObject({ projection: z.string(), position: z.string(), eventId: z.uuid() }),
  personal: null,
});

/** An operator went on with a ledger that has lost its newest events, or whose sealing key is lost. */
const lossAccepted = eventType({
  name: 'LossAccepted',
  version: 2,
  data: ({ z, sha256Hex }) => z.strictObject({
    /** The epoch that begins here, from 2. */
    epoch: z.int().min(2),
    /** The newest event that is still there, or null when none is. */
    kept: z.strictObject({ position: z.string(), leaf: sha256Hex }).nullable(),
    /** What is known to have been there: the furthest checkpoint that no longer matches. Null: only the key is lost. */
    missing: z.strictObject({ position: z.string(), leaf: sha256Hex.nullable(), knownFrom: z.string() }).nullable(),
    /** The last signed checkpoint that is known of the epoch before. */
    checkpoint: z.string().max(4096).nullable(),
    /** Whether the key that signed the epoch before is still there to sign this one. */
    vouched: z.boolean(),
  }),
  personal: null,
  // Nothing was sealed before.
  upcasters: [(content) => ({ ...content, checkpoint: null, vouched: false })],
});

/** A backup took the place of the ledger, or of none; what follows is the next epoch. */
const ledgerRestored = eventType({
  name: 'LedgerRestored',
  data: ({ z, sha256Hex }) => z.strictObject({
    /** The epoch that begins here, from 2. */
    epoch: z.int().min(2),
    /** The newest event of the backup, or null when it held none. */
    kept: z.strictObject({ position: z.string(), leaf: sha256Hex }).nullable(),
    /** The newest event of the ledger that was replaced, or null when there was none that could be read. */
    replaced: z.strictObject({ position: z.string(), leaf: sha256Hex }).nullable(),
  }),
  personal: null,
});

/** Forms in which events are handed out. */
export const exportFormats = ['jsonl', 'csv', 'cloudevents', 'ocsf'] as const;

/** Events were handed out to somebody. */
const exportMade = eventType({
  name: 'ExportMade',
  data: ({ z, sha256Hex, askedFilter }) => z.strictObject({
    /** Made anew for each export; the same when an interrupted one was gone on with. */
    exportId: z.uuid(),
    format: z.enum(exportFormats),
    filter: askedFilter,
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
  personal: ({ typedFilter }) => typedFilter,
});

/** Kinds of streams whose payloads may be dropped after a time. No stream that current state is folded from is among them. */
export const expendableCategories = ['toolCall', 'toolRefusals'] as const;

/**
 * Payloads were dropped: of every stream of a category that begins between two places of the ledger, both included, but
 * for those listed. Recorded before they go; a start finishes what a crash left.
 */
const eventsDropped = eventType({
  name: 'EventsDropped',
  data: ({ z }) => z.strictObject({
    category: z.enum(expendableCategories),
    /**
     * Ordinals (the how-manieth event of the ledger, from 1) of the events that the first and the last stream begin with
     * whose payloads go. Of counted refusals each event stands for itself.
     */
    from: z.int().positive(),
    to: z.int().positive(),
    /** Ordinals of first events in between that were kept: still open, newer than allowed in part, or of somebody held. */
    kept: z.array(z.int().positive()).readonly(),
    /** How many events lost their payloads. */
    events: z.int().nonnegative(),
    /** Only what was recorded before this went, milliseconds since the epoch. */
    recordedBefore: z.int().nonnegative(),
  }),
  personal: null,
});

export const ledgerOperationsTypes = [parkedEventSkipped, lossAccepted, ledgerRestored, exportMade, eventsDropped] as const;

/** Stream `ledger-operations`. */
export type LedgerOperationsEvent = EventOf<(typeof ledgerOperationsTypes)[number]>;
