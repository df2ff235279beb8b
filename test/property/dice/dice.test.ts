import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DiceError } from '../../../src/tools/dice/diceError.js';
import { parseDice } from '../../../src/tools/dice/parse.js';
import { rollDice, type RollResult } from '../../../src/tools/dice/roll.js';

/** Repeatable randomness; its quality does not matter here. */
function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function tryRoll(notation: string, seed: number): RollResult | DiceError {
  try {
    return rollDice(parseDice(notation), seeded(seed));
  } catch (error) {
    if (error instanceof DiceError) return error;
    throw error;
  }
}

const modifiers = fc.constantFrom('', 'kh1', 'kl', 'k2', 'dh1', 'dl1', '!', '!>3', 'r1', 'r<=2', 'ro1', 'r1!kh2', '!dl1');
const term = fc.oneof(
  fc.integer({ min: 0, max: 999 }).map(String),
  fc.tuple(fc.integer({ min: 3, max: 9 }), fc.constantFrom('4', '6', '20', '%'), modifiers).map(([count, sides, modifier]) => `${count}d${sides}${modifier}`),
  fc.integer({ min: 1, max: 4 }).map((count) => `${count}dF`),
);
const { sum: valid } = fc.letrec<{ sum: string; part: string }>((tie) => ({
  part: fc.oneof({ maxDepth: 2, withCrossShrink: true }, term, tie('sum').map((inner) => `(${inner})`), tie('part').map((inner) => `-${inner}`)),
  sum: fc.array(fc.tuple(tie('part'), fc.constantFrom('+', '-', '*')), { minLength: 1, maxLength: 3 }).map((parts) => parts.map(([part, operator], index) => (index === 0 ? part : `${operator}${part}`)).join('')),
}));

const nearlyValid = fc.string({ unit: fc.constantFrom(...Array.from('0123456789dDkhlro!<>=+-*()%F ４ｄ')), maxLength: 30 });

fc.configureGlobal({ seed: 20_260_301 });

describe('dice, whatever is rolled', () => {
  it('answers any text with a roll or the typed error whose offset lies in the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 220 }), nearlyValid), fc.nat(), (notation, seed) => {
        const outcome = tryRoll(notation, seed);
        if (outcome instanceof DiceError) {
          expect(outcome.offset).toBeGreaterThanOrEqual(0);
          expect(outcome.offset).toBeLessThanOrEqual(notation.length);
          expect(outcome.message.split('\n')).toHaveLength(3);
        } else {
          expect(Number.isSafeInteger(outcome.total)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps the total within the range computed beforehand, and equal to what the text ends with', () => {
    let rolled = 0;
    fc.assert(
      fc.property(valid.filter((notation) => notation.length <= 200), fc.nat(), (notation, seed) => {
        const outcome = tryRoll(notation, seed);
        if (outcome instanceof DiceError) {
          expect(['too_many_rolls', 'nested_too_deep', 'total_too_large']).toContain(outcome.code);
          return;
        }
        rolled += 1;
        const { range } = parseDice(notation).root;
        expect(outcome.total).toBeGreaterThanOrEqual(range.least);
        expect(outcome.total).toBeLessThanOrEqual(range.most);
        expect(outcome.text.endsWith(` = ${outcome.total}`)).toBe(true);
      }),
    );
    expect(rolled).toBeGreaterThan(50);
  });

  it('gives the same result for the same randomness, however it is written', () => {
    fc.assert(
      fc.property(valid.filter((notation) => notation.length <= 60), fc.nat(), (notation, seed) => {
        const wide = notation.replace(/[-+*()]/g, ' $& ').replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
        const outcome = tryRoll(notation, seed);
        const again = tryRoll(wide, seed);
        if (outcome instanceof DiceError) expect(again).toMatchObject({ code: outcome.code });
        else expect(again).toEqual(outcome);
      }),
    );
  });

  it('keeps exactly the asked number of dice, and none that is beaten by a dropped one', () => {
    const counts = fc.integer({ min: 1, max: 100 }).chain((count) => fc.tuple(fc.constant(count), fc.integer({ min: 1, max: count })));
    fc.assert(
      fc.property(counts, fc.constantFrom('', '!'), fc.nat(), ([count, keep], explode, seed) => {
        const outcome = tryRoll(`${count}d6${explode}kh${keep}`, seed);
        if (outcome instanceof DiceError) throw outcome;
        const dice = outcome.rolls[0]?.dice ?? [];
        const kept = dice.filter((die) => die.kept).map((die) => die.value);
        const dropped = dice.filter((die) => !die.kept).map((die) => die.value);
        expect(kept).toHaveLength(keep);
        expect(dice).toHaveLength(count + dice.filter((die) => die.exploded).length);
        expect(Math.min(...kept)).toBeGreaterThanOrEqual(Math.max(0, ...dropped));
        expect(outcome.total).toBe(kept.reduce((sum, value) => sum + value, 0));
      }),
    );
  });

  it('maps every draw to its own side, so a fair source gives fair dice', () => {
    for (const sides of [1, 2, 6, 20, 100]) {
      const faces = Array.from({ length: sides }, (_, draw) => rollDice(parseDice(`d${sides}`), () => draw).total);
      expect(faces).toEqual(Array.from({ length: sides }, (_, index) => index + 1));
    }
  });
});
