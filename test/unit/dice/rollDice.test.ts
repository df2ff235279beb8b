import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { rollDice } from '../../../src/tools/builtin/rollDice.js';
import { dealtDice } from '../../support/dealtDice.js';

const context = (...values: number[]) => ({ workspace: 'local', signal: new AbortController().signal, randomInt: dealtDice(...values).randomInt });

describe('the roll_dice tool', () => {
  it('answers with the structured roll and a line for people', async () => {
    const answer = await rollDice.execute({ notation: '2d6+1' }, context(3, 4));
    expect(answer).toMatchObject({ success: true, data: { total: 8, rolls: [{ term: '2d6' }] }, summary: '2d6+1 = [3, 4] + 1 = 8' });
  });

  it('refuses a bad notation as a parameter, pointing at the character', () => {
    const checked = rollDice.parameters.safeParse({ notation: '2d6+x' });
    expect(checked.error?.issues).toMatchObject([{ path: ['notation'], params: { code: 'unexpected_character', offset: 4 } }]);
    expect(checked.error?.issues[0]?.message).toMatch(/\n2d6\+x\n {4}\^$/);
  });

  it.each([{}, { notation: 6 }, { notation: null }, { notation: ['d6'] }])('refuses %j', (parameters) => {
    expect(rollDice.parameters.safeParse(parameters).success).toBe(false);
  });

  it('fails with a code when the dice explode past the limit', async () => {
    const answer = await rollDice.execute({ notation: 'd6!' }, { ...context(), randomInt: () => 5 });
    expect(answer).toMatchObject({ success: false, error: { code: 'too_many_rolls' } });
  });

  it('does not hide an error of the randomness', () => {
    expect(() => rollDice.execute({ notation: 'd6' }, context())).toThrow(RangeError);
  });

  it('declares its parameter with its limits to models', () => {
    expect(z.toJSONSchema(rollDice.parameters)).toMatchObject({ required: ['notation'], properties: { notation: { type: 'string', minLength: 1, maxLength: 200 } } });
  });

  it('gives examples that can be rolled', () => {
    const { examples } = z.object({ examples: z.array(z.string()).min(1) }).parse(rollDice.parameters.shape.notation.meta());
    for (const notation of examples) expect(rollDice.parameters.safeParse({ notation }).success).toBe(true);
  });
});
