import { InvalidArgumentError, type Command } from 'commander';
import { Fault } from '../platform/fault.js';
import { terminalSafe } from '../platform/text/terminal.js';
import { parseWhen } from '../platform/time/when.js';
import type { JsonValue } from '../platform/json.js';
import { jsonText } from './format/jsonText.js';
import { table, type Column } from './format/table.js';
import { wrapped } from './format/wrapped.js';
import type { Terminal } from './terminal.js';
import type { OpenToolledger, Toolledger } from './toolledger.js';

/** What the commands share. */
export interface CommandContext {
  readonly version: string;
  readonly open: OpenToolledger;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly json: boolean;
  readonly setExitCode: (code: number) => void;
}

/**
 * Opens the product on the data directory that the command line names.
 * @param misconfigured also when settings are wrong, for a command that looks for what is wrong
 */
export function toolledgerOf(context: CommandContext, command: Command, misconfigured = false): Toolledger {
  const { data } = command.optsWithGlobals<{ data?: string }>();
  if (data === '') throw new Fault('usage', 'no_data_directory', '--data was given an empty text; it takes a directory.');
  return context.open({
    dataDir: data ?? null,
    command: fullName(command),
    misconfigured,
    notice: (line) => context.terminal.err(`${terminalSafe(line)}\n`),
  });
}

/** Prints an answer: one JSON document with `--json`, else what `text` makes of it, line by line; on a terminal long lines of prose are broken. */
export function print<T>(context: CommandContext, answer: T, text: (answer: T) => readonly string[]): void {
  if (context.json) context.terminal.out(`${jsonText(answer)}\n`);
  else {
    const { columns } = context.terminal;
    const lines = text(answer).flatMap((each) => each.split('\n')).flatMap((line) => (columns === null ? [line] : wrapped(line, columns)));
    context.terminal.out(lines.map((line) => `${line}\n`).join(''));
  }
}

/** Rows as a table that fits the terminal; what is in the cells is made safe. */
export function rows<T>(context: CommandContext, items: readonly T[], columns: readonly Column<T>[], none: string): readonly string[] {
  return items.length === 0 ? [none] : table(items, columns, context.terminal.columns);
}

/** Shows progress on stderr: rewritten in place on a terminal, otherwise one line each time. */
export function progressLine(context: CommandContext, text: (progress: JsonValue) => string): (progress: JsonValue) => void {
  return (progress) => context.terminal.err(context.terminal.progressInPlace ? `\r\u001b[2K${text(progress)}` : `${text(progress)}\n`);
}

/** Ends a line that `progressLine` rewrote. */
export function endProgress(context: CommandContext): void {
  if (context.terminal.progressInPlace) context.terminal.err('\r\u001b[2K');
}

/** A time on the command line as milliseconds since the epoch; see `platform/time/when.ts` for what is taken. */
export function whenOption(text: string): number {
  return parseWhen(text, Date.now());
}

/** A whole number on the command line. */
export function numberOption(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number is needed.');
  return Number(text);
}

/** One of a fixed set of words on the command line. */
export function wordOption<const Words extends readonly string[]>(name: string, words: Words): (text: string) => Words[number] {
  return (text) => {
    if ((words as readonly string[]).includes(text)) return text;
    throw new Fault('usage', 'invalid_option', `--${name} is one of ${words.join(', ')}; given was "${text.slice(0, 60)}".`);
  };
}

function fullName(command: Command): string {
  const names = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}
