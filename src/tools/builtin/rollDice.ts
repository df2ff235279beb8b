import { z } from 'zod';
import { DiceError } from '../dice/diceError.js';
import { diceLimits } from '../dice/limits.js';
import { parseDice } from '../dice/parse.js';
import { rollDice as roll } from '../dice/roll.js';
import type { BuiltInTool } from '../tool.js';

const parameters = z.object({
  notation: z
    .string()
    .superRefine((notation, context) => {
      try {
        parseDice(notation);
      } catch (error) {
        if (!(error instanceof DiceError)) throw error;
        context.addIssue({ code: 'custom', message: error.message, params: { code: error.code, offset: error.offset } });
      }
    })
    .meta({
      description:
        'Dice notation: NdS with + - * and parentheses, d% and dF. After dice: kh3, kl1, dh1, dl1 keep or drop the highest or lowest; ! explodes on the highest side, !>=5 on 5 or more; r1 or r<3 rerolls, ro1 once.',
      examples: ['4d6kh3+2', '2d20kl1', '3d6!', '10d10r1', '4dF'],
      minLength: 1,
      maxLength: diceLimits.notationLength,
    }),
});

/** Rolls dice with the randomness it is handed. */
export const rollDice: BuiltInTool<typeof parameters> = {
  name: 'roll_dice',
  title: 'Roll dice',
  description: 'Rolls dice fairly. Answers with the total, every die and which of them were dropped, exploded or rerolled.',
  category: 'utility',
  parameters,
  ledger: { notation: 'value' },
  effects: 'readOnlyLocal',
  onByDefault: true,
  execute: ({ notation }, { randomInt }) => {
    try {
      const result = roll(parseDice(notation), randomInt);
      return { success: true, data: result, summary: result.text };
    } catch (error) {
      if (!(error instanceof DiceError)) throw error;
      return { success: false, error: { code: error.code, message: error.message } };
    }
  },
};
