/** All whole numbers from `least` to `most`; none when `least` is larger. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** Which dice of a term count: the `count` highest or lowest are kept, or dropped. */
export interface Selection {
  readonly action: 'keep' | 'drop';
  readonly end: 'highest' | 'lowest';
  readonly count: number;
}

/** Dice of one kind that are thrown and added up. */
export interface DiceTerm {
  /** As written, without spaces. */
  readonly notation: string;
  /** Where it starts in the notation. */
  readonly offset: number;
  readonly count: number;
  readonly faces: Range;
  /** Values after which another die is thrown. */
  readonly explode: Range | null;
  /** Values that are thrown again, until another comes or only once. */
  readonly reroll: { readonly values: Range; readonly once: boolean } | null;
  /** Applied one after the other. */
  readonly selections: readonly Selection[];
}

/** A parsed notation. `range` holds every total the node can have; its ends may be out of reach. */
export type DiceNode = { readonly range: Range } & (
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'dice'; readonly term: DiceTerm }
  | { readonly kind: 'negation' | 'group'; readonly inner: DiceNode }
  | { readonly kind: 'operation'; readonly operator: Operator; readonly left: DiceNode; readonly right: DiceNode }
);

export type Operator = '+' | '-' | '*';

/** What `parseDice` gives. */
export interface ParsedDice {
  /** The notation in its plain form: half-width, lower case, no spaces. */
  readonly notation: string;
  /** The notation as it was given, which offsets count in. */
  readonly given: string;
  readonly root: DiceNode;
}
