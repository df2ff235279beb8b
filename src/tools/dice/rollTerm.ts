import type { DiceTerm, Range, Selection } from './notation.js';

/** A die on the table. */
export type RolledDie = {
  /** What it shows in the end. */
  readonly value: number;
  /** Whether it counts. */
  readonly kept: boolean;
  /** It made another die be thrown: the next one. */
  readonly exploded?: true;
  /** What it showed before, in order. */
  readonly rerolledFrom?: readonly number[];
};

/** What came of a term: its dice in the order they were thrown, and the sum of those that count. */
export type RolledTerm = {
  readonly term: string;
  readonly dice: readonly RolledDie[];
  readonly total: number;
};

/**
 * Throws the dice of one term.
 * @param throwDie gives a uniform value of these faces; it may throw to end the roll
 */
export function rollTerm(term: DiceTerm, throwDie: (faces: Range) => number): RolledTerm {
  const thrown: Omit<RolledDie, 'kept'>[] = [];
  for (let wanted = term.count; wanted > 0; wanted -= 1) {
    const die = throwOne(term, throwDie);
    const exploded = term.explode !== null && isIn(die.value, term.explode);
    if (exploded) wanted += 1;
    thrown.push(exploded ? { ...die, exploded } : die);
  }
  const kept = select(thrown.map((die) => die.value), term.selections);
  const dice = thrown.map(({ value, ...rest }, index) => ({ value, kept: kept.has(index), ...rest }));
  return { term: term.notation, dice, total: dice.reduce((sum, die) => sum + (die.kept ? die.value : 0), 0) };
}

function throwOne({ faces, reroll }: DiceTerm, throwDie: (faces: Range) => number): Pick<RolledDie, 'value' | 'rerolledFrom'> {
  const rerolledFrom: number[] = [];
  let value = throwDie(faces);
  while (reroll !== null && isIn(value, reroll.values) && !(reroll.once && rerolledFrom.length > 0)) {
    rerolledFrom.push(value);
    value = throwDie(faces);
  }
  return rerolledFrom.length > 0 ? { value, rerolledFrom } : { value };
}

/** Places of the dice that count. Of equal dice the earlier thrown is kept. */
function select(values: readonly number[], selections: readonly Selection[]): ReadonlySet<number> {
  let places = values.map((value, index) => ({ value, index }));
  for (const { action, end, count } of selections) {
    const highestFirst = (action === 'keep') === (end === 'highest');
    places.sort((a, b) => (highestFirst ? b.value - a.value : a.value - b.value) || a.index - b.index);
    places = action === 'keep' ? places.slice(0, count) : places.slice(0, -count);
  }
  return new Set(places.map(({ index }) => index));
}

function isIn(value: number, range: Range): boolean {
  return value >= range.least && value <= range.most;
}
