import type { Clock } from '../../platform/time/clock.js';
import type { NewId } from '../../platform/ids.js';
import type { Catalogue } from '../../events/catalogue/catalogue.js';
import type { EventStore } from '../../events/eventStore.js';
import { isStoreFailure } from '../../events/storeError.js';
import { appendSurely } from './appendSurely.js';
import type { CommandHandler, Folded, Origin, Outcome, Recorded } from '../commandHandler.js';
import type { Decider } from '../decider.js';
import { draftEvent, placeOf, type Draft } from './draftEvent.js';
import { makeKeptFolds, type Folding } from './keptFolds.js';
import type { KeyStore } from '../keyStore.js';
import { sealPersonal } from './sealPersonal.js';
import { makeSerialByKey } from './serialByKey.js';

/** How often a command is decided again because somebody else wrote to its stream. */
const maxConflicts = 8;

export interface CommandHandlerParts {
  readonly store: Pick<EventStore, 'append' | 'readStream'>;
  readonly keys: KeyStore;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly newId: NewId;
  /** This process instance. */
  readonly runner: string;
  /** Most streams whose fold is kept in memory. */
  readonly cacheSize: number;
  /**
   * True when nothing else appends to this store, as the owner of a data directory may say: then a kept fold needs no
   * look at the store before it is believed. Default false.
   */
  readonly soleWriter?: boolean;
  /** Told of each append once it is durable; nobody waits for it, and it does not throw. */
  readonly onRecorded?: (recorded: Recorded) => void;
}

/** A fold, and whether it is known to be all of the stream at this moment. */
interface View<State> {
  readonly folded: Folded<State>;
  readonly current: boolean;
}

type Decided<Event, Refusal> =
  | { readonly kind: 'drafts'; readonly drafts: readonly Draft<Event>[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * The command handler of the ledger. Commands on one stream are taken one after another. An event is decided on the
 * kept fold and appended at exactly that revision, so an outdated fold shows as a conflict; that nothing is to be
 * recorded is only answered from a fold that is known to be current.
 */
export function makeCommandHandler(parts: CommandHandlerParts): CommandHandler {
  const { store, keys, catalogue, clock, newId, runner, cacheSize, soleWriter = false, onRecorded = () => undefined } = parts;
  const folds = makeKeptFolds(store, catalogue, cacheSize);
  const inOrder = makeSerialByKey();

  async function read<State, Event extends { readonly type: string }>(folding: Folding<State, Event>, stream: string): Promise<View<State>> {
    return { folded: await folds.read(folding, stream), current: true };
  }

  function keptView<State, Event extends { readonly type: string }>(folding: Folding<State, Event>, stream: string): View<State> | undefined {
    const kept = folds.kept(folding, stream);
    return kept && { folded: kept.folded, current: soleWriter && !kept.behind };
  }

  /** Decides commands in a row, each on what the ones before would make of the stream. */
  function decideAll<Command, State, Event extends { readonly type: string }, Refusal>(
    decider: Decider<Command, State, Event, Refusal>,
    stream: string,
    commands: readonly Command[],
    origin: Origin,
    folded: Folded<State>,
  ): Decided<Event, Refusal> {
    const drafts: Draft<Event>[] = [];
    const occurredAt = clock.now();
    const { actor, door, onBehalfOf, workspace, correlation, causation } = origin;
    const whoAsked = { actor, door, onBehalfOf, workspace, correlation, causation };
    let state = folded.state;
    for (const command of commands) {
      const decision = decider.decide(command, state);
      if (decision.kind === 'refused') return decision;
      for (const proposed of decision.events) {
        const draft = draftEvent(catalogue, proposed, { id: newId(), occurredAt, runner, ...whoAsked });
        drafts.push(draft);
        state = decider.evolve(state, draft.event, placeOf(draft, stream, (folded.revision ?? -1) + drafts.length, occurredAt));
      }
    }
    return { kind: 'drafts', drafts };
  }

  async function record<State, Event extends { readonly type: string }>(
    folding: Folding<State, Event>,
    stream: string,
    folded: Folded<State>,
    drafts: readonly Draft<Event>[],
  ): Promise<Outcome<State, Event, never>> {
    const events = await Promise.all(drafts.map((draft) => sealPersonal(draft, stream, keys)));
    folds.markBehind(stream);
    const { position, recordedAt } = await appendSurely(store, stream, folded.revision ?? 'noStream', events);
    let { state, revision } = folded;
    for (const draft of drafts) {
      revision = (revision ?? -1) + 1;
      state = folding.evolve(state, draft.event, placeOf(draft, stream, revision, recordedAt));
    }
    // The store tells the time of the last event only; a fold of more than one is read back when it is next needed.
    if (drafts.length === 1) folds.keep(folding, stream, { state, revision });
    return {
      kind: 'recorded',
      state,
      revision,
      events: drafts.map(({ event, envelope }) => ({ id: envelope.id, ...event })),
      position,
      recordedAt,
    };
  }

  return {
    execute(decider, stream, commands, origin, { expectNew = false } = {}) {
      return inOrder(stream, async () => {
        const fresh = expectNew ? { folded: { state: decider.initialState(), revision: null }, current: false } : undefined;
        let view = keptView(decider, stream) ?? fresh ?? (await read(decider, stream));
        for (let conflicts = 0; ; ) {
          const decided = decideAll(decider, stream, commands, origin, view.folded);
          if (decided.kind === 'drafts' && decided.drafts.length > 0) {
            try {
              const outcome = await record(decider, stream, view.folded, decided.drafts);
              onRecorded({ stream, workspace: origin.workspace, events: decided.drafts.map(({ event }) => event) });
              return outcome;
            } catch (error) {
              conflicts += 1;
              if (!isStoreFailure(error, 'wrong_expected_revision') || conflicts > maxConflicts) throw error;
            }
          } else if (view.current) {
            return decided.kind === 'refused' ? { ...decided, ...view.folded } : { kind: 'unchanged', ...view.folded };
          }
          view = await read(decider, stream);
        }
      });
    },

    forget: (stream) => folds.forget(stream),

    async load(decider, stream) {
      const kept = keptView(decider, stream);
      if (kept?.current === true) return kept.folded;
      return inOrder(stream, () => folds.read(decider, stream));
    },
  };
}
