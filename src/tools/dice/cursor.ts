import { terminalSafe } from '../../platform/text/terminal.js';
import { DiceError, type DiceErrorCode } from './diceError.js';
import { diceLimits } from './limits.js';
import { plainForm } from './plainForm.js';

/** A place in a notation that moves forward as its parts are recognised. Spaces between parts are skipped. */
export class Cursor {
  private readonly text: string;
  private at = 0;

  /** @param given the notation as it was given */
  constructor(private readonly given: string) {
    this.text = plainForm(given);
    this.skipSpaces();
  }

  /** Where the next part starts. */
  get offset(): number {
    return this.at;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Takes the first of the words that comes next. */
  take<const Word extends string>(...words: readonly Word[]): Word | null {
    const word = words.find((candidate) => this.text.startsWith(candidate, this.at)) ?? null;
    if (word !== null) this.moveBy(word.length);
    return word;
  }

  /** Whether a digit comes next. */
  get atNumber(): boolean {
    return /[0-9]/.test(this.text.charAt(this.at));
  }

  /** Takes a whole number. */
  number(what: string): number {
    const start = this.at;
    const digits = /^[0-9]+/.exec(this.text.slice(start))?.[0];
    if (digits === undefined) throw this.expected(what);
    const value = Number(digits);
    if (value > diceLimits.number) throw this.error('number_too_large', `A number may be at most ${diceLimits.number}`, start);
    this.moveBy(digits.length);
    return value;
  }

  /** What was written from an earlier offset up to here, without spaces. */
  since(offset: number): string {
    return this.text.slice(offset, this.at).replace(/\s+/g, '').replaceAll('f', 'F');
  }

  /** The error that something else should come next. */
  expected(what: string): DiceError {
    const next = this.given.codePointAt(this.at);
    const found = next === undefined ? 'the notation ends' : `"${terminalSafe(String.fromCodePoint(next))}" was found`;
    return this.error('unexpected_character', `Expected ${what}, but ${found}`, this.at);
  }

  error(code: DiceErrorCode, problem: string, offset: number): DiceError {
    return new DiceError(code, problem, this.given, offset);
  }

  private moveBy(length: number): void {
    this.at += length;
    this.skipSpaces();
  }

  private skipSpaces(): void {
    while (/\s/.test(this.text.charAt(this.at))) this.at += 1;
  }
}
