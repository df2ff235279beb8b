import { diceLimits } from './limits.js';
import type { DiceTerm, Operator, Range } from './notation.js';

/** Every total a term can have. Explosions may add dice up to the limit of the whole roll. */
export function rangeOfTerm(term: DiceTerm): Range {
  let fewest = term.count;
  let most = term.explode === null ? term.count : diceLimits.throws;
  for (const { action, count } of term.selections) {
    fewest = action === 'keep' ? count : fewest - count;
    most = action === 'keep' ? count : most - count;
  }
  const { faces } = term;
  return { least: faces.least * (faces.least < 0 ? most : fewest), most: faces.most * most };
}

/** Every total two parts can have together. */
export function rangeOfOperation(operator: Operator, left: Range, right: Range): Range {
  switch (operator) {
    case '+':
      return { least: left.least + right.least, most: left.most + right.most };
    case '-':
      return { least: left.least - right.most, most: left.most - right.least };
    case '*': {
      const corners = [left.least * right.least, left.least * right.most, left.most * right.least, left.most * right.most];
      return { least: Math.min(...corners), most: Math.max(...corners) };
    }
  }
}

/** Whether every number in the range is an exact integer in JavaScript. */
export function isExact(range: Range): boolean {
  return range.least >= Number.MIN_SAFE_INTEGER && range.most <= Number.MAX_SAFE_INTEGER;
}
