import type { JsonObject } from '../platform/json.js';
import type { Decision, PersonalValues, Proposed } from './decider.js';

/** The decision that these events happen; none: it is already so. */
export function accepted<Event>(...events: readonly Proposed<Event>[]): Decision<Event, never> {
  return { kind: 'accepted', events };
}

/** The decision that nothing happens, and why. */
export function refused<Refusal>(refusal: Refusal): Decision<never, Refusal> {
  return { kind: 'refused', refusal };
}

/** One person's values as an event carries them: none when there is nothing to keep. */
export function personalOf(of: { readonly subject: string; readonly personal: JsonObject }): readonly PersonalValues[] {
  return Object.keys(of.personal).length === 0 ? [] : [{ subject: of.subject, values: of.personal }];
}
