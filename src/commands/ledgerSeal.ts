import type { LedgerSealEvent } from '../events/catalogue/ledgerSeal.js';
import { accepted, refused } from './accepted.js';
import type { Decider } from './decider.js';

type Data<Type extends LedgerSealEvent['type']> = Extract<LedgerSealEvent, { type: Type }>['data'];

/** A seal as the ledger holds it. */
export type Seal = Data<'LedgerSealed'>;

/** What is done to the ledger's seals. Both say what they follow, so that of two sealers one loses. */
export type LedgerSealCommand =
  /** `follows`: size and epoch of the seal before, or null. */
  | { readonly type: 'Seal'; readonly seal: Seal; readonly follows: Pick<Seal, 'epoch' | 'size'> | null }
  /** The next key is recorded, vouched for by the one before. */
  | { readonly type: 'RotateKey'; readonly rotation: Data<'SealingKeyRotated'> };

/** `outdated`: somebody else sealed, rotated the key or began an epoch meanwhile. Look again. */
export interface LedgerSealRefusal {
  readonly code: 'outdated';
}

/** The newest seal, and the key that signs now. */
export interface LedgerSealState {
  readonly last: Seal | null;
  /** The key of the newest seal or rotation, or null before the first. */
  readonly key: string | null;
}

/** The one stream of seals. */
export const ledgerSealStream = 'ledger-seal';

/** Sealing: every seal adds to the one before, or begins a later epoch. */
export const ledgerSealDecider: Decider<LedgerSealCommand, LedgerSealState, LedgerSealEvent, LedgerSealRefusal> = {
  initialState: () => ({ last: null, key: null }),

  decide(command, { last, key }) {
    if (command.type === 'RotateKey') {
      const { rotation } = command;
      return rotation.from === key && rotation.epoch === last?.epoch ? accepted({ type: 'SealingKeyRotated', data: rotation }) : refused({ code: 'outdated' });
    }
    const { seal, follows } = command;
    const isNext = follows?.epoch === last?.epoch && follows?.size === last?.size;
    const goesOn = last === null || seal.epoch > last.epoch || (seal.epoch === last.epoch && seal.size > last.size && seal.key === key);
    return isNext && goesOn ? accepted({ type: 'LedgerSealed', data: seal }) : refused({ code: 'outdated' });
  },

  evolve({ last }, event) {
    return event.type === 'SealingKeyRotated' ? { last, key: event.data.to } : { last: event.data, key: event.data.key };
  },

  // A ledger is sealed for as long as it is used.
  beginsAnew: ({ type }) => type === 'LedgerSealed',
};
