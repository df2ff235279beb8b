import type { Fold, ProjectedEvent } from '../projection.js';

/** The events of some types, as a projection sees them. */
export type Projected<Type extends ProjectedEvent['type']> = Extract<ProjectedEvent, { readonly type: Type }>;

/** A fold of events of these types that writes its rows at once. */
export function rowFold<Type extends ProjectedEvent['type']>(handles: readonly Type[], apply: (event: Projected<Type>) => void): Fold {
  const handled: ReadonlySet<string> = new Set(handles);
  return {
    apply(event) {
      if (handled.has(event.type)) apply(event as Projected<Type>);
    },
    flush: () => undefined,
  };
}
