import { eventType, type EventOf } from './eventType.js';

/** The ledger's head was signed. It covers what lies before this event, up to `position`. */
const ledgerSealed = eventType({
  name: 'LedgerSealed',
  version: 2,
  data: ({ z, sha256Hex, vkey, signedNote }) => z.strictObject({
    epoch: z.int().min(1),
    /** How many events the tree has. */
    size: z.int().min(1),
    /** Position of the last of them. */
    position: z.string(),
    /** RFC 6962 head over their leaves. */
    root: sha256Hex,
    /** The key that signed. */
    key: vkey,
    /** The signed checkpoint, as it was given out. */
    checkpoint: signedNote,
    /** Which checkpoint log it is added to, by the SHA-256 of its path; null: the one in the data directory. */
    log: sha256Hex.nullable(),
  }),
  personal: null,
  // Nobody said which it was.
  upcasters: [(content) => ({ ...content, log: null })],
});

/** From here on another key signs; the old one vouches for it. */
const sealingKeyRotated = eventType({
  name: 'SealingKeyRotated',
  data: ({ z, vkey, signedNote }) => z.strictObject({
    epoch: z.int().min(1),
    from: vkey,
    to: vkey,
    /** A note that names the new key, signed by the old one. */
    statement: signedNote,
  }),
  personal: null,
});

export const ledgerSealTypes = [ledgerSealed, sealingKeyRotated] as const;

/** Stream `ledger-seal`. */
export type LedgerSealEvent = EventOf<(typeof ledgerSealTypes)[number]>;
