import type { Cursor } from './cursor.js';
import { diceLimits } from './limits.js';
import type { DiceTerm, Range, Selection } from './notation.js';

const modifierWords = ['kh', 'kl', 'k', 'dh', 'dl', 'd', '!', 'ro', 'r'] as const;
type ModifierWord = (typeof modifierWords)[number];

/** A term while its modifiers are read. */
interface Draft {
  readonly count: number;
  readonly faces: Range;
  explode: DiceTerm['explode'];
  reroll: DiceTerm['reroll'];
  readonly selections: Selection[];
  /** Fewest dice that count after the selections so far. */
  left: number;
}

/**
 * Reads what follows the `d` of a dice term: sides and modifiers.
 * @param start where the term starts
 * @param count dice named before the `d`; 1 when none was
 * @throws DiceError
 */
export function parseTerm(cursor: Cursor, start: number, count: number): DiceTerm {
  if (count < 1) throw cursor.error('too_few_dice', 'At least 1 die must be rolled', start);
  if (count > diceLimits.dicePerTerm) {
    throw cursor.error('too_many_dice', `At most ${diceLimits.dicePerTerm} dice may be rolled at once, not ${count}`, start);
  }
  const draft: Draft = { count, faces: parseFaces(cursor), explode: null, reroll: null, selections: [], left: count };
  for (;;) {
    const at = cursor.offset;
    const word = cursor.take(...modifierWords);
    if (word === null) break;
    addModifier(cursor, draft, word, at);
  }
  const { faces, explode, reroll, selections } = draft;
  return { notation: cursor.since(start), offset: start, count, faces, explode, reroll, selections };
}

function parseFaces(cursor: Cursor): Range {
  if (cursor.take('%') !== null) return { least: 1, most: 100 };
  if (cursor.take('f') !== null) return { least: -1, most: 1 };
  const at = cursor.offset;
  const sides = cursor.number('a number of sides, % or F after "d"');
  if (sides < 1) throw cursor.error('too_few_sides', 'A die has at least 1 side', at);
  if (sides > diceLimits.sides) throw cursor.error('too_many_sides', `A die has at most ${diceLimits.sides} sides, not ${sides}`, at);
  return { least: 1, most: sides };
}

function addModifier(cursor: Cursor, draft: Draft, word: ModifierWord, at: number): void {
  switch (word) {
    case '!':
      draft.explode = parseExplosion(cursor, draft, at);
      return;
    case 'r':
    case 'ro':
      draft.reroll = parseReroll(cursor, draft, at, word === 'ro');
      return;
    case 'k':
    case 'kh':
    case 'kl':
      addSelection(cursor, draft, at, 'keep', word === 'kl' ? 'lowest' : 'highest');
      return;
    case 'd':
    case 'dh':
    case 'dl':
      addSelection(cursor, draft, at, 'drop', word === 'dh' ? 'highest' : 'lowest');
  }
}

function parseExplosion(cursor: Cursor, { faces, explode }: Draft, at: number): Range {
  if (explode !== null) throw cursor.error('repeated_modifier', 'Dice can explode by one rule only', at);
  const values = parseCondition(cursor, faces, at) ?? { least: faces.most, most: faces.most };
  if (covers(values, faces)) throw cursor.error('endless_explosion', 'These dice would explode for ever', at);
  return values;
}

function parseReroll(cursor: Cursor, { faces, reroll }: Draft, at: number, once: boolean): NonNullable<DiceTerm['reroll']> {
  if (reroll !== null) throw cursor.error('repeated_modifier', 'Dice can be rerolled by one rule only', at);
  const values = parseCondition(cursor, faces, at);
  if (values === null) throw cursor.expected('the values to reroll, such as 1 or <3');
  if (!once && covers(values, faces)) throw cursor.error('endless_reroll', 'These dice would be rerolled for ever; "ro" rerolls once', at);
  return { values, once };
}

/** Reads `3`, `=3`, `<3`, `<=3`, `>3` or `>=3`, as the faces that fit; null when nothing of that kind comes. */
function parseCondition(cursor: Cursor, faces: Range, at: number): Range | null {
  if (faces.least < 0) throw cursor.error('impossible_condition', 'Fate dice neither explode nor are rerolled', at);
  const comparison = cursor.take('<=', '<', '>=', '>', '=');
  if (comparison === null && !cursor.atNumber) return null;
  const value = cursor.number('a number to compare with');
  const least = comparison === '>' ? value + 1 : comparison?.startsWith('<') ? faces.least : value;
  const most = comparison === '<' ? value - 1 : comparison?.startsWith('>') ? faces.most : value;
  const fitting = { least: Math.max(least, faces.least), most: Math.min(most, faces.most) };
  if (fitting.least > fitting.most) throw cursor.error('impossible_condition', `No side of a d${faces.most} fits this condition`, at);
  return fitting;
}

function covers(values: Range, faces: Range): boolean {
  return values.least <= faces.least && values.most >= faces.most;
}

function addSelection(cursor: Cursor, draft: Draft, at: number, action: Selection['action'], end: Selection['end']): void {
  const count = cursor.atNumber ? cursor.number('a number of dice') : 1;
  const most = action === 'keep' ? draft.left : draft.left - 1;
  if (count < 1 || count > most) {
    const allowed = most < 1 ? 'none' : most === 1 ? 'only 1' : `1 to ${most}`;
    throw cursor.error('invalid_selection', `Of ${draft.left} dice ${allowed} can be ${action === 'keep' ? 'kept' : 'dropped'}, not ${count}`, at);
  }
  draft.left = action === 'keep' ? count : draft.left - count;
  draft.selections.push({ action, end, count });
}
