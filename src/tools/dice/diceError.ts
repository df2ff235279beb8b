import { displayWidth } from '../../platform/text/displayWidth.js';
import { terminalSafe } from '../../platform/text/terminal.js';
import { diceLimits } from './limits.js';

/** Why a notation cannot be rolled. */
export type DiceErrorCode =
  | 'empty_notation'
  | 'notation_too_long'
  | 'unexpected_character'
  | 'nested_too_deep'
  | 'number_too_large'
  | 'total_too_large'
  | 'too_few_dice'
  | 'too_many_dice'
  | 'too_few_sides'
  | 'too_many_sides'
  | 'repeated_modifier'
  | 'impossible_condition'
  | 'endless_explosion'
  | 'endless_reroll'
  | 'invalid_selection'
  | 'too_many_rolls';

/**
 * A notation that cannot be rolled. The message has three lines: what is wrong, the notation, and a caret under the
 * character it is about, aligned for a monospaced font.
 */
export class DiceError extends Error {
  override readonly name = 'DiceError';

  /**
   * @param problem one sentence without a full stop
   * @param notation as it was given
   * @param offset zero-based place in `notation`, in UTF-16 code units; its length when the end is what is wrong
   */
  constructor(
    readonly code: DiceErrorCode,
    problem: string,
    notation: string,
    readonly offset: number,
  ) {
    super(`${problem} (at offset ${offset}).\n${pointAt(notation, offset)}`);
  }
}

function pointAt(notation: string, offset: number): string {
  const cut = notation.length > diceLimits.notationLength ? '…' : '';
  const shown = terminalSafe(notation.slice(0, diceLimits.notationLength));
  return `${shown}${cut}\n${' '.repeat(displayWidth(terminalSafe(notation.slice(0, offset))))}^`;
}
