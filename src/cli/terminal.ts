/** Where a command reads from and writes to; passed in so that tests have their own. */
export interface Terminal {
  /** Writes to stdout as is; whatever goes in has been made safe. */
  out(text: string): void;
  /**
   * Writes to stdout as is and resolves when more can be taken, for output of any length.
   * @throws Fault `output_closed` when whoever read it is gone
   */
  pour(text: string): Promise<void>;
  /** Writes to stderr as is; whatever goes in has been made safe. */
  err(text: string): void;
  /** Columns to fit tables into, or null when stdout is not a terminal. */
  readonly columns: number | null;
  /** Whether stderr is a terminal, where a progress line can be rewritten. */
  readonly progressInPlace: boolean;
  /** Everything on standard input, at most `limit` bytes. */
  readInput(limit: number): Promise<string>;
  /**
   * Asks a question that is answered with y or n.
   * @param signal aborts when the process was asked to stop
   * @returns false also when there is no answer: Ctrl-C, Ctrl-D, a stop
   * @throws Fault usage `no_terminal` when there is nobody to ask; the command's `--yes` is the way then
   */
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
  /**
   * Asks for a secret without showing what is typed.
   * @throws Fault usage `no_terminal`, `not_answered`
   */
  askSecret(question: string, signal: AbortSignal): Promise<string>;
}
