import { eventType, type EventOf } from './eventType.js';

/** A person is gone: their key and who they were are destroyed, and nothing of theirs is readable ever again. */
const subjectErased = eventType({ name: 'SubjectErased', data: ({ z, subjectId }) => z.strictObject({ subject: subjectId }), personal: null });

/** A legal hold: the person may not be erased and their events keep their payloads. */
const subjectHeld = eventType({
  name: 'SubjectHeld',
  data: ({ z, subjectId }) => z.strictObject({ subject: subjectId }),
  /** Lies in the box of the person who is held, because such words name people. */
  personal: ({ z }) => z.strictObject({ because: z.string() }),
});

/** The legal hold is over. */
const subjectReleased = eventType({ name: 'SubjectReleased', data: ({ z, subjectId }) => z.strictObject({ subject: subjectId }), personal: null });

/** Somebody was shown what the ledger keeps sealed of other people; durable before anything is shown. */
const personalValuesOpened = eventType({
  name: 'PersonalValuesOpened',
  data: ({ z, subjectId, askedFilter }) => z.strictObject({
    /**
     * `show`: one call; `proof`: one call, whose keys were handed out with it; `export`: an audit export;
     * `person_export`: everything of one person, for that person.
     */
    purpose: z.enum(['show', 'proof', 'export', 'person_export']),
    /** Whose values, where that was known before; null: of whomever the filter finds. */
    subjects: z.array(subjectId).readonly().nullable(),
    /** Stored id of the one call; null when it was more than one. */
    callId: z.string().nullable(),
    /** What an export was asked to find; null for other purposes. */
    filter: askedFilter.nullable(),
  }),
  personal: ({ typedFilter }) => typedFilter,
});

/** An operator went on without keys that are lost: what was sealed with them is unreadable for ever. */
const keyLossAccepted = eventType({
  name: 'KeyLossAccepted',
  data: ({ z }) => z.strictObject({
    /** How many people of the ledger had no key any more. */
    subjects: z.int().nonnegative(),
    /** Position of the newest event then: nobody who first occurs later is meant. */
    upTo: z.string(),
  }),
  personal: null,
});

export const ledgerPrivacyTypes = [subjectErased, subjectHeld, subjectReleased, personalValuesOpened, keyLossAccepted] as const;

/** Stream `ledger-privacy`. */
export type LedgerPrivacyEvent = EventOf<(typeof ledgerPrivacyTypes)[number]>;
