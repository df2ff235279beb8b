import type { RolledDie, RolledTerm } from './rollTerm.js';

const mostDiceShown = 50;

/** A whole roll in one line: the notation, the dice in its place, the total. */
export function rollText(notation: string, rolled: string, total: number): string {
  const nothingThrown = rolled.replaceAll(' ', '') === notation;
  return nothingThrown ? `${notation} = ${total}` : `${notation} = ${rolled} = ${total}`;
}

/**
 * The dice of a term: `[6!, 5, ~~1~~, 2→4]`, where `!` made another die be thrown, struck-out dice do not count and
 * an arrow leads from the first value of a rerolled die to its last. The first 50 are shown.
 */
export function diceText({ dice }: RolledTerm): string {
  const shown = dice.slice(0, mostDiceShown).map(dieText);
  const rest = dice.length - shown.length;
  return `[${[...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join(', ')}]`;
}

function dieText({ value, kept, exploded, rerolledFrom }: RolledDie): string {
  const from = rerolledFrom?.[0] === undefined ? '' : `${rerolledFrom[0]}→${rerolledFrom.length > 1 ? '…→' : ''}`;
  const face = `${from}${value}${exploded ? '!' : ''}`;
  return kept ? face : `~~${face}~~`;
}
