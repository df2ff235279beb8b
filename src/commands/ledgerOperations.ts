import { isDeepStrictEqual } from 'node:util';
import type { LedgerOperationsEvent } from '../events/catalogue/ledgerOperations.js';
import type { JsonObject } from '../platform/json.js';
import { accepted, personalOf } from './accepted.js';
import type { Decider } from './decider.js';

type Data<Type extends LedgerOperationsEvent['type']> = Extract<LedgerOperationsEvent, { type: Type }>['data'];

/** What operators do to the ledger itself. */
export type LedgerOperationsCommand =
  /** Give up on an event that a projection could not fold; "unchanged" when that was done before. */
  | { readonly type: 'SkipParked'; readonly parked: Data<'ParkedEventSkipped'> }
  /**
   * Go on with a ledger that has lost its newest events; "unchanged" when this very loss was accepted last.
   * `lastEpoch`: the newest that is known from outside, because the ledger may have lost when it began.
   */
  | { readonly type: 'AcceptLoss'; readonly loss: Omit<Data<'LossAccepted'>, 'epoch'>; readonly lastEpoch: number }
  /** A backup took the ledger's place; always recorded, each restore begins an epoch of its own. `lastEpoch` as above. */
  | { readonly type: 'RecordRestore'; readonly restored: Omit<Data<'LedgerRestored'>, 'epoch'>; readonly lastEpoch: number }
  /** Events were handed out; "unchanged" when this very export was recorded before. */
  | {
      readonly type: 'RecordExport';
      readonly made: Data<'ExportMade'>;
      /** Who asked; `typed` lies in the box of that person. */
      readonly reader: string;
      readonly typed: JsonObject;
    };

/** What operators have done so far. */
export interface LedgerOperationsState {
  /** Number of the present epoch, from 1. */
  readonly epoch: number;
  readonly lastLoss: Data<'LossAccepted'> | null;
  /** Events given up on, each as `<event id> <projection>`. */
  readonly skipped: ReadonlySet<string>;
  /** Ids of the exports on record. */
  readonly exports: ReadonlySet<string>;
}

/** The one stream of operations on the ledger. */
export const ledgerOperationsStream = 'ledger-operations';

/** Operations on the ledger; none is ever refused here. */
export const ledgerOperationsDecider: Decider<LedgerOperationsCommand, LedgerOperationsState, LedgerOperationsEvent, never> = {
  initialState: () => ({ epoch: 1, lastLoss: null, skipped: new Set(), exports: new Set() }),

  decide(command, state) {
    if (command.type === 'SkipParked') {
      return state.skipped.has(skipKey(command.parked)) ? accepted() : accepted({ type: 'ParkedEventSkipped', data: command.parked });
    }
    if (command.type === 'RecordExport') {
      if (state.exports.has(command.made.exportId)) return accepted();
      return accepted({ type: 'ExportMade', data: command.made, personal: personalOf({ subject: command.reader, personal: command.typed }) });
    }
    if (command.type === 'RecordRestore') {
      return accepted({ type: 'LedgerRestored', data: { epoch: Math.max(state.epoch, command.lastEpoch) + 1, ...command.restored } });
    }
    const { loss, lastEpoch } = command;
    if (isDeepStrictEqual(state.lastLoss, { epoch: state.epoch, ...loss })) return accepted();
    return accepted({ type: 'LossAccepted', data: { epoch: Math.max(state.epoch, lastEpoch) + 1, ...loss } });
  },

  evolve(state, event) {
    if (event.type === 'ParkedEventSkipped') return { ...state, skipped: new Set(state.skipped).add(skipKey(event.data)) };
    if (event.type === 'ExportMade') return { ...state, exports: new Set(state.exports).add(event.data.exportId) };
    if (event.type === 'LedgerRestored') return { ...state, epoch: event.data.epoch };
    return { ...state, epoch: event.data.epoch, lastLoss: event.data };
  },
};

function skipKey({ eventId, projection }: Data<'ParkedEventSkipped'>): string {
  return `${eventId} ${projection}`;
}
