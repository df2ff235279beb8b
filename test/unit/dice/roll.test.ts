import { describe, expect, it } from '@jest/globals';
import { parseDice } from '../../../src/tools/dice/parse.js';
import { rollDice } from '../../../src/tools/dice/roll.js';
import { dealtDice } from '../../support/dealtDice.js';

const roll = (notation: string, ...values: number[]) => rollDice(parseDice(notation), dealtDice(...values).randomInt);

describe('rolling dice', () => {
  it('gives each die, what was dropped and the total', () => {
    expect(roll('4d6kh3+2', 6, 5, 1, 4)).toEqual({
      notation: '4d6kh3+2',
      total: 17,
      text: '4d6kh3+2 = [6, 5, ~~1~~, 4] + 2 = 17',
      rolls: [
        {
          term: '4d6kh3',
          total: 15,
          dice: [
            { value: 6, kept: true },
            { value: 5, kept: true },
            { value: 1, kept: false },
            { value: 4, kept: true },
          ],
        },
      ],
    });
  });

  it.each([
    ['d20', [13], 'd20 = [13] = 13'],
    ['2d6', [3, 4], '2d6 = [3, 4] = 7'],
    ['d%', [100], 'd% = [100] = 100'],
    ['4dF', [1, 2, 3, 3], '4dF = [-1, 0, 1, 1] = 1'],
    ['2d20kh', [7, 15], '2d20kh = [~~7~~, 15] = 15'],
    ['2d20k1', [15, 7], '2d20k1 = [15, ~~7~~] = 15'],
    ['2d20kl1', [7, 15], '2d20kl1 = [7, ~~15~~] = 7'],
    ['3d6dh1', [6, 6, 2], '3d6dh1 = [6, ~~6~~, 2] = 8'],
    ['3d6dl1', [2, 6, 2], '3d6dl1 = [2, 6, ~~2~~] = 8'],
    ['3d6d1', [2, 6, 3], '3d6d1 = [~~2~~, 6, 3] = 9'],
    ['4d6dl1dh1', [1, 6, 3, 4], '4d6dl1dh1 = [~~1~~, ~~6~~, 3, 4] = 7'],
    ['2d6!', [6, 6, 2, 3], '2d6! = [6!, 6!, 2, 3] = 17'],
    ['1d6!>4', [5, 6, 4], '1d6!>4 = [5!, 6!, 4] = 15'],
    ['1d6!>=5', [5, 4], '1d6!>=5 = [5!, 4] = 9'],
    ['1d6!<2', [1, 2], '1d6!<2 = [1!, 2] = 3'],
    ['1d6!<=2', [2, 1, 3], '1d6!<=2 = [2!, 1!, 3] = 6'],
    ['1d6!=3', [3, 6], '1d6!=3 = [3!, 6] = 9'],
    ['1d6!3', [3, 6], '1d6!3 = [3!, 6] = 9'],
    ['2d6!kh1', [6, 1, 2], '2d6!kh1 = [6!, ~~1~~, ~~2~~] = 6'],
    ['2d6r1', [1, 1, 5, 3], '2d6r1 = [1→…→5, 3] = 8'],
    ['1d6r<3', [2, 3], '1d6r<3 = [2→3] = 3'],
    ['1d6ro1', [1, 1], '1d6ro1 = [1→1] = 1'],
    ['1d6r1!', [1, 6, 2], '1d6r1! = [1→6!, 2] = 8'],
    ['d1', [1], 'd1 = [1] = 1'],
    ['2*(d6+1)', [4], '2*(d6+1) = 2 * ([4] + 1) = 10'],
    ['10-2*3-1', [], '10-2*3-1 = 3'],
    ['-d6--2', [4], '-d6--2 = -[4] - -2 = -2'],
    ['0*-5', [], '0*-5 = 0'],
  ])('%s showing %j', (notation, values, text) => {
    expect(roll(notation, ...values).text).toBe(text);
  });

  it('keeps what a rerolled die showed before', () => {
    expect(roll('1d6r<3', 2, 1, 5).rolls[0]?.dice).toEqual([{ value: 5, kept: true, rerolledFrom: [2, 1] }]);
  });

  it('never shows a negative zero', () => {
    expect(Object.is(roll('0*-5').total, 0)).toBe(true);
    expect(Object.is(roll('-(0)').total, 0)).toBe(true);
  });

  it('shows the first 50 dice of a large term and counts the rest', () => {
    const { text } = roll('60d6', ...Array.from({ length: 60 }, () => 2));
    expect(text).toMatch(/^60d6 = \[(2, ){50}… 10 more\] = 120$/);
  });

  it('draws one number from as many as there are sides for each die thrown', () => {
    const { randomInt, asked } = dealtDice(1, 5, 2, 77);
    rollDice(parseDice('d6r1+dF+d%'), randomInt);
    expect(asked).toEqual([6, 6, 3, 100]);
  });

  it.each(['d6!', 'd6r6'])('ends %s when explosions or rerolls pass the limit', (notation) => {
    let throws = 0;
    const always6 = () => {
      throws += 1;
      return 5;
    };
    expect(() => rollDice(parseDice(`2 + ${notation}`), always6)).toThrow(expect.objectContaining({ code: 'too_many_rolls', offset: 4 }));
    expect(throws).toBe(1_000);
  });
});
