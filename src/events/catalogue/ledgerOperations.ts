import { z } from 'zod';
import { eventType, type EventOf } from './eventType.js';
import { sha256Hex } from './words.js';

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

export const ledgerOperationsTypes = [parkedEventSkipped, lossAccepted] as const;

/** Stream `ledger-operations`. */
export type LedgerOperationsEvent = EventOf<(typeof ledgerOperationsTypes)[number]>;
