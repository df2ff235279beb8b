import { DiceError } from './diceError.js';
import { diceLimits } from './limits.js';
import type { DiceNode, DiceTerm, Operator, ParsedDice, Range } from './notation.js';
import { diceText, rollText } from './rollText.js';
import { rollTerm, type RolledTerm } from './rollTerm.js';

/** What came of a roll. */
export type RollResult = {
  /** The notation in its plain form. */
  readonly notation: string;
  readonly total: number;
  /** For people, e.g. `4d6kh3+2 = [6, 5, ~~1~~, 4] + 2 = 17`. */
  readonly text: string;
  /** The dice terms from left to right. */
  readonly rolls: readonly RolledTerm[];
};

/**
 * Rolls a parsed notation. Every die takes exactly one draw, so a fair source gives fair dice.
 * @param randomInt a uniform integer in [0, below)
 * @throws DiceError `too_many_rolls` when explosions or rerolls pass the limit of dice thrown
 */
export function rollDice({ notation, given, root }: ParsedDice, randomInt: (below: number) => number): RollResult {
  const rolls: RolledTerm[] = [];
  let throws = 0;
  const roll = (term: DiceTerm): RolledTerm => {
    const rolled = rollTerm(term, (faces: Range) => {
      throws += 1;
      if (throws > diceLimits.throws) {
        throw new DiceError('too_many_rolls', `Explosions or rerolls passed the limit of ${diceLimits.throws} dice; make the condition rarer`, given, term.offset);
      }
      return faces.least + randomInt(faces.most - faces.least + 1);
    });
    rolls.push(rolled);
    return rolled;
  };
  const { total, text } = evaluate(root, roll);
  return { notation, total, text: rollText(notation, text, total), rolls };
}

interface Evaluated {
  readonly total: number;
  readonly text: string;
}

function evaluate(node: DiceNode, roll: (term: DiceTerm) => RolledTerm): Evaluated {
  switch (node.kind) {
    case 'number':
      return { total: node.value, text: String(node.value) };
    case 'dice': {
      const rolled = roll(node.term);
      return { total: rolled.total, text: diceText(rolled) };
    }
    case 'group': {
      const inner = evaluate(node.inner, roll);
      return { total: inner.total, text: `(${inner.text})` };
    }
    case 'negation': {
      const inner = evaluate(node.inner, roll);
      return { total: 0 - inner.total, text: `-${inner.text}` };
    }
    case 'operation': {
      const left = evaluate(node.left, roll);
      const right = evaluate(node.right, roll);
      return { total: apply(node.operator, left.total, right.total), text: `${left.text} ${node.operator} ${right.text}` };
    }
  }
}

function apply(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right + 0; // 0 times a negative number is -0, which nobody wants to see
  }
}
