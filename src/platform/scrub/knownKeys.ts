/**
 * Which keys of a JSON value are part of a known structure. All others count as values of whoever wrote them: they are
 * scrubbed, and notes show them as `*`.
 */
export interface KnownKeys {
  knows(key: string): boolean;
  /** The same for the value under a known key. */
  below(key: string): KnownKeys;
  /** The same for the items of a list. */
  items(): KnownKeys;
}

/** Nothing is known: the structure comes from outside. */
export const noKnownKeys: KnownKeys = { knows: () => false, below: () => noKnownKeys, items: () => noKnownKeys };

/** These keys are known here, and nothing below them. */
export function knownHere(keys: Iterable<string>): KnownKeys {
  const known = new Set(keys);
  return { knows: (key) => known.has(key), below: () => noKnownKeys, items: () => noKnownKeys };
}
