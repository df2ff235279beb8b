import { describe, expect, it } from '@jest/globals';
import { DiceError } from '../../../src/tools/dice/diceError.js';
import { parseDice } from '../../../src/tools/dice/parse.js';

function errorOf(notation: string): DiceError {
  try {
    parseDice(notation);
  } catch (error) {
    if (error instanceof DiceError) return error;
    throw error;
  }
  throw new Error(`${notation} was accepted`);
}

describe('reading dice notation', () => {
  it.each([
    [' 2 D 6 + 3 ', '2d6+3'],
    ['４ｄ６ＫＨ３＋２', '4d6kh3+2'],
    ['２ｄ６　−　１', '2d6-1'],
    ['2×3', '2*3'],
    ['4Df', '4dF'],
    ['D％', 'd%'],
    ['2d6\n+1', '2d6+1'],
  ])('takes %j as %s', (given, notation) => {
    expect(parseDice(given).notation).toBe(notation);
  });

  it.each(['100d6', 'd1000000', '1000000000', '99d6+'.repeat(10) + '10d6', '('.repeat(20) + '1' + ')'.repeat(20), '1'.padEnd(200)])(
    'takes what is just within the limits: %s',
    (notation) => {
      expect(() => parseDice(notation)).not.toThrow();
    },
  );

  it.each([
    ['', 'empty_notation', 0],
    ['   ', 'empty_notation', 0],
    ['1'.padEnd(201), 'notation_too_long', 200],
    ['2x6', 'unexpected_character', 1],
    ['2d', 'unexpected_character', 2],
    ['2d6+', 'unexpected_character', 4],
    ['(2d6', 'unexpected_character', 4],
    ['2d6)', 'unexpected_character', 3],
    ['1 2', 'unexpected_character', 2],
    ['6/2', 'unexpected_character', 1],
    ['2d6r', 'unexpected_character', 4],
    ['2d6!>', 'unexpected_character', 5],
    ['2d6🎲', 'unexpected_character', 3],
    ['²d6', 'unexpected_character', 0],
    ['0d6', 'too_few_dice', 0],
    ['1+101d6', 'too_many_dice', 2],
    ['100d6+'.repeat(10) + 'd6', 'too_many_dice', 60],
    ['d0', 'too_few_sides', 1],
    ['2 d 1000001', 'too_many_sides', 4],
    ['1000000001', 'number_too_large', 0],
    ['9'.repeat(199), 'number_too_large', 0],
    ['('.repeat(21) + '1' + ')'.repeat(21), 'nested_too_deep', 20],
    ['-'.repeat(150) + '1', 'nested_too_deep', 20],
    ['1000000000*1000000000', 'total_too_large', 10],
    ['2d6!!', 'repeated_modifier', 4],
    ['2d6r1ro2', 'repeated_modifier', 5],
    ['d1!', 'endless_explosion', 2],
    ['d6!>0', 'endless_explosion', 2],
    ['d6r<=6', 'endless_reroll', 2],
    ['d6!7', 'impossible_condition', 2],
    ['d6r<1', 'impossible_condition', 2],
    ['4dF!', 'impossible_condition', 3],
    ['4dFr1', 'impossible_condition', 3],
    ['2d6kh3', 'invalid_selection', 3],
    ['2d6kh0', 'invalid_selection', 3],
    ['2d6dl2', 'invalid_selection', 3],
    ['d6d8', 'invalid_selection', 2],
    ['4d6kh2dl2', 'invalid_selection', 6],
  ])('refuses %j: %s at offset %d', (notation, code, offset) => {
    expect(errorOf(notation)).toMatchObject({ code, offset });
  });

  it('rerolls every side once when asked to, because that ends', () => {
    expect(() => parseDice('d6ro<=6')).not.toThrow();
  });

  it('points a caret at the offending character', () => {
    expect(errorOf('4d6kx3').message).toBe('Expected +, -, * or the end, but "x" was found (at offset 4).\n4d6kx3\n    ^');
  });

  it('points behind the end when something is missing', () => {
    expect(errorOf('2d6+').message).toMatch(/but the notation ends .*\n2d6\+\n {4}\^$/);
  });

  it('aligns the caret under full-width characters', () => {
    expect(errorOf('２ｄ６ｘ').message).toMatch(/\n２ｄ６ｘ\n {6}\^$/);
  });

  it('shows control characters of the notation as codes, with the caret in place', () => {
    expect(errorOf('2\u001b[2Jd6').message).toBe('Expected +, -, * or the end, but "\\u{1b}" was found (at offset 1).\n2\\u{1b}[2Jd6\n ^');
    expect(errorOf('2\nx').message).toMatch(/\n2\\u\{a\}x\n {6}\^$/);
  });

  it('shows only the beginning of a notation that is too long', () => {
    expect(errorOf('1+'.repeat(5_000)).message.length).toBeLessThan(600);
  });
});
