import type { LedgerPrivacyEvent } from '../events/catalogue/ledgerPrivacy.js';
import type { JsonObject } from '../platform/json.js';
import { accepted, personalOf, refused } from './accepted.js';
import type { Decider } from './decider.js';

type Data<Type extends LedgerPrivacyEvent['type']> = Extract<LedgerPrivacyEvent, { type: Type }>['data'];

/** What is asked about people and what is sealed of them. Subjects are ids of people the vault knows. */
export type LedgerPrivacyCommand =
  /** Forget a person; "unchanged" when they were erased before. */
  | { readonly type: 'Erase'; readonly subject: string }
  /** Keep a person's data whatever is asked, and why; "unchanged" when they are held already. */
  | { readonly type: 'Hold'; readonly subject: string; readonly because: string }
  /** "Unchanged" when they are not held. */
  | { readonly type: 'Release'; readonly subject: string }
  /** Put on record that sealed values are about to be shown. `typed` lies in the reader's box. */
  | { readonly type: 'OpenValues'; readonly opened: Data<'PersonalValuesOpened'>; readonly reader: string; readonly typed: JsonObject }
  /** Go on without keys that are lost. */
  | { readonly type: 'AcceptKeyLoss'; readonly loss: Data<'KeyLossAccepted'> };

/** `subject_held`: a legal hold forbids it. `subject_erased`: nothing is left that could be held. */
export interface LedgerPrivacyRefusal {
  readonly code: 'subject_held' | 'subject_erased';
}

/** A chain rather than a set: a set would be copied for each of ten thousand people when the stream is folded. */
interface Erased {
  readonly subject: string;
  readonly before: Erased | null;
}

/** What is so now. What was opened leaves no trace here, so that the state grows with people only. */
export interface LedgerPrivacyState {
  readonly held: ReadonlySet<string>;
  readonly erased: Erased | null;
}

/** The one stream of what concerns people. */
export const ledgerPrivacyStream = 'ledger-privacy';

/** Erasing people, legal holds, and opening what is sealed. */
export const ledgerPrivacyDecider: Decider<LedgerPrivacyCommand, LedgerPrivacyState, LedgerPrivacyEvent, LedgerPrivacyRefusal> = {
  initialState: () => ({ held: new Set(), erased: null }),

  decide(command, state) {
    switch (command.type) {
      case 'Erase': {
        const { subject } = command;
        if (state.held.has(subject)) return refused({ code: 'subject_held' });
        return isErased(state, subject) ? accepted() : accepted({ type: 'SubjectErased', data: { subject } });
      }
      case 'Hold': {
        const { subject, because } = command;
        if (isErased(state, subject)) return refused({ code: 'subject_erased' });
        if (state.held.has(subject)) return accepted();
        return accepted({ type: 'SubjectHeld', data: { subject }, personal: personalOf({ subject, personal: { because } }) });
      }
      case 'Release': {
        const { subject } = command;
        return state.held.has(subject) ? accepted({ type: 'SubjectReleased', data: { subject } }) : accepted();
      }
      case 'OpenValues':
        return accepted({ type: 'PersonalValuesOpened', data: command.opened, personal: personalOf({ subject: command.reader, personal: command.typed }) });
      case 'AcceptKeyLoss':
        return accepted({ type: 'KeyLossAccepted', data: command.loss });
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'SubjectErased':
        return { ...state, erased: { subject: event.data.subject, before: state.erased } };
      case 'SubjectHeld':
        return { ...state, held: new Set(state.held).add(event.data.subject) };
      case 'SubjectReleased':
        return { ...state, held: new Set([...state.held].filter((subject) => subject !== event.data.subject)) };
      case 'PersonalValuesOpened':
      case 'KeyLossAccepted':
        return state;
    }
  },
};

function isErased({ erased }: LedgerPrivacyState, subject: string): boolean {
  for (let at = erased; at !== null; at = at.before) if (at.subject === subject) return true;
  return false;
}
