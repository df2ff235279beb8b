import { Cursor } from './cursor.js';
import { diceLimits } from './limits.js';
import type { DiceNode, Operator, ParsedDice } from './notation.js';
import { parseTerm } from './parseTerm.js';
import { isExact, rangeOfOperation, rangeOfTerm } from './range.js';

/**
 * Reads dice notation:
 *
 *     sum     = product { ("+" | "-") product }
 *     product = factor { "*" factor }
 *     factor  = "-" factor | "(" sum ")" | number | [number] "d" (number | "%" | "F") { modifier }
 *     modifier = ("kh" | "kl" | "k" | "dh" | "dl" | "d") [number]     keep or drop; k = kh, d = dl; 1 by default
 *              | "!" [condition]                                      explode; on the highest side by default
 *              | ("r" | "ro") condition                               reroll until it no longer fits, or once
 *     condition = ["=" | "<" | "<=" | ">" | ">="] number
 *
 * Case and spaces do not matter, full-width characters are understood. Whatever parses can be rolled and ends within
 * the limits of `limits.ts`.
 * @throws DiceError and nothing else, whatever the text is
 */
export function parseDice(given: string): ParsedDice {
  const cursor = new Cursor(given.slice(0, diceLimits.notationLength + 1));
  if (cursor.atEnd) throw cursor.error('empty_notation', 'There is nothing to roll; write for example 2d6+3', 0);
  if (given.length > diceLimits.notationLength) {
    throw cursor.error('notation_too_long', `A notation may have at most ${diceLimits.notationLength} characters`, diceLimits.notationLength);
  }
  const root = new Parser(cursor).whole();
  return { notation: cursor.since(0), given, root };
}

/** Recursive descent; each method reads one rule of the grammar. */
class Parser {
  private depth = 0;
  private dice = 0;

  constructor(private readonly cursor: Cursor) {}

  whole(): DiceNode {
    const root = this.sum();
    if (!this.cursor.atEnd) throw this.cursor.expected('+, -, * or the end');
    return root;
  }

  private sum(): DiceNode {
    return this.chain(['+', '-'], () => this.chain(['*'], () => this.factor()));
  }

  private chain(operators: readonly Operator[], part: () => DiceNode): DiceNode {
    let left = part();
    for (;;) {
      const at = this.cursor.offset;
      const operator = this.cursor.take(...operators);
      if (operator === null) return left;
      left = this.operation(operator, left, part(), at);
    }
  }

  private operation(operator: Operator, left: DiceNode, right: DiceNode, at: number): DiceNode {
    const range = rangeOfOperation(operator, left.range, right.range);
    if (!isExact(range)) throw this.cursor.error('total_too_large', `The total could pass ${Number.MAX_SAFE_INTEGER}`, at);
    return { kind: 'operation', operator, left, right, range };
  }

  private factor(): DiceNode {
    const at = this.cursor.offset;
    if (this.cursor.take('-') !== null) {
      const inner = this.nested(at, () => this.factor());
      return { kind: 'negation', inner, range: { least: -inner.range.most, most: -inner.range.least } };
    }
    if (this.cursor.take('(') !== null) {
      const inner = this.nested(at, () => this.sum());
      if (this.cursor.take(')') === null) throw this.cursor.expected('+, -, * or )');
      return { kind: 'group', inner, range: inner.range };
    }
    return this.numberOrDice(at);
  }

  private nested(at: number, part: () => DiceNode): DiceNode {
    if (this.depth >= diceLimits.nesting) throw this.cursor.error('nested_too_deep', `At most ${diceLimits.nesting} levels may be nested`, at);
    this.depth += 1;
    const node = part();
    this.depth -= 1;
    return node;
  }

  private numberOrDice(at: number): DiceNode {
    const number = this.cursor.atNumber ? this.cursor.number('a number') : null;
    if (this.cursor.take('d') === null) {
      if (number === null) throw this.cursor.expected('a number, dice such as 2d6, - or (');
      return { kind: 'number', value: number, range: { least: number, most: number } };
    }
    const term = parseTerm(this.cursor, at, number ?? 1);
    this.dice += term.count;
    if (this.dice > diceLimits.throws) throw this.cursor.error('too_many_dice', `At most ${diceLimits.throws} dice may be rolled in all`, at);
    return { kind: 'dice', term, range: rangeOfTerm(term) };
  }
}
