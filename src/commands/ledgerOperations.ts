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
  /** Payloads are about to be dropped. */
  | { readonly type: 'DropEvents'; readonly drop: Data<'EventsDropped'> }
  /** Events were handed out; "unchanged" when this very export was recorded before. */
  | {
      readonly type: 'RecordExport';
      readonly made: Data<'ExportMade'>;
      /** Who asked; `typed` lies in the box of that person. */
      readonly reader: string;
      readonly typed: JsonObject;
    };

/** A stretch of the ledger, by the ordinals of its first and last event. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** What operators have done so far. */
export interface LedgerOperationsState {
  /** Number of the present epoch, from 1. */
  readonly epoch: number;
  readonly lastLoss: Data<'LossAccepted'> | null;
  /** Events given up on, each as `<event id> <projection>`. */
  readonly skipped: ReadonlySet<string>;
  /** Ids of the exports on record. */
  readonly exports: ReadonlySet<string>;
  /** Stretches of which every event was handed out. */
  readonly handedOut: readonly Stretch[];
  /** The newest drop of each category: all earlier ones are known to be finished. */
  readonly drops: ReadonlyMap<Data<'EventsDropped'>['category'], Data<'EventsDropped'>>;
}

/** The one stream of operations on the ledger. */
export const ledgerOperationsStream = 'ledger-operations';

/** Operations on the ledger; none is ever refused here. */
export const ledgerOperationsDecider: Decider<LedgerOperationsCommand, LedgerOperationsState, LedgerOperationsEvent, never> = {
  initialState: () => ({ epoch: 1, lastLoss: null, skipped: new Set(), exports: new Set(), handedOut: [], drops: new Map() }),

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
    if (command.type === 'DropEvents') return accepted({ type: 'EventsDropped', data: command.drop });
    const { loss, lastEpoch } = command;
    if (isDeepStrictEqual(state.lastLoss, { epoch: state.epoch, ...loss })) return accepted();
    return accepted({ type: 'LossAccepted', data: { epoch: Math.max(state.epoch, lastEpoch) + 1, ...loss } });
  },

  evolve(state, event) {
    if (event.type === 'ParkedEventSkipped') return { ...state, skipped: new Set(state.skipped).add(skipKey(event.data)) };
    if (event.type === 'ExportMade') {
      const handedOut = merged(state.handedOut, wholeStretch(event.data));
      return { ...state, handedOut, exports: new Set(state.exports).add(event.data.exportId) };
    }
    if (event.type === 'EventsDropped') return { ...state, drops: new Map(state.drops).set(event.data.category, event.data) };
    if (event.type === 'LedgerRestored') return { ...state, epoch: event.data.epoch };
    return { ...state, epoch: event.data.epoch, lastLoss: event.data };
  },
};

function skipKey({ eventId, projection }: Data<'ParkedEventSkipped'>): string {
  return `${eventId} ${projection}`;
}

/**
 * The stretch an export covers without leaving an event out, whatever its filter was: as many records as there are
 * places. Engines whose positions are not ordinals never count.
 */
function wholeStretch({ first, last, records }: Data<'ExportMade'>): Stretch | null {
  const stretch = { first: Number(first), last: Number(last) };
  return records > 0 && stretch.last - stretch.first + 1 === records ? stretch : null;
}

function merged(stretches: readonly Stretch[], added: Stretch | null): readonly Stretch[] {
  if (added === null) return stretches;
  const touching = stretches.filter(({ first, last }) => first <= added.last + 1 && last >= added.first - 1);
  const others = stretches.filter((stretch) => !touching.includes(stretch));
  const all = [added, ...touching];
  return [...others, { first: Math.min(...all.map(({ first }) => first)), last: Math.max(...all.map(({ last }) => last)) }];
}
