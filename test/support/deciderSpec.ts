import { expect } from '@jest/globals';
import type { Decider, EventPlace, Proposed } from '../../src/commands/decider.js';

/** Where the events of a specification lie, unless a test says otherwise. */
export function placeAt(revision: number): EventPlace {
  return {
    id: `00000000-0000-7000-8000-${String(revision).padStart(12, '0')}`,
    stream: 'spec-1',
    revision,
    occurredAt: 1_000 + revision,
    recordedAt: 2_000 + revision,
    actor: 'subject-1',
    door: 'cli',
    onBehalfOf: null,
    correlation: null,
    causation: null,
    workspace: 'local',
    runner: 'runner-1',
  };
}

/**
 * Reads a decider as a specification: given what happened, when somebody asks for something, then this is recorded,
 * or refused, or nothing needs to happen.
 */
export function deciderSpec<Command, State, Event extends { readonly type: string }, Refusal>(
  decider: Decider<Command, State, Event, Refusal>,
) {
  const when = (state: State) => (command: Command) => {
    const decision = decider.decide(command, state);
    return {
      thenEvents: (first: Proposed<Event>, ...more: readonly Proposed<Event>[]) =>
        expect(decision).toEqual({ kind: 'accepted', events: [first, ...more] }),
      thenRefused: (refusal: Refusal) => expect(decision).toEqual({ kind: 'refused', refusal }),
      thenNothing: () => expect(decision).toEqual({ kind: 'accepted', events: [] }),
    };
  };
  const given = (...past: readonly Event[]) => {
    const state = past.reduce((folded, event, revision) => decider.evolve(folded, event, placeAt(revision)), decider.initialState());
    return { state, when: when(state) };
  };
  return { given };
}
