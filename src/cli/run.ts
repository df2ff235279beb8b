import { CommanderError } from 'commander';
import { Fault, type FaultKind } from '../platform/fault.js';
import { terminalSafe } from '../platform/text/terminal.js';
import { jsonText } from './format/jsonText.js';
import { makeProgram } from './program.js';
import type { Terminal } from './terminal.js';
import type { OpenToolledger } from './toolledger.js';

const exitCodes: Record<FaultKind, number> = { failed: 1, usage: 2, damaged: 3 };

/**
 * Runs one command line.
 * @param args what follows the program's name
 * @param signal aborts when the process was asked to stop
 * @returns the exit code: 0 ok · 1 failed or refused · 2 wrong usage · 3 the ledger is damaged or incomplete
 */
export async function run(args: readonly string[], version: string, open: OpenToolledger, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const asJson = args.includes('--json');
  let exitCode = 0;
  const output = { poured: false };
  const watched: Terminal = {
    ...terminal,
    pour(text) {
      output.poured = true;
      return terminal.pour(text);
    },
  };
  const program = makeProgram({ version, open, terminal: watched, signal, json: asJson, setExitCode: (code) => (exitCode = code) });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const fault = signal.aborted && !(error instanceof Fault) ? stopped : asFault(error);
    // What streams on standard output is cut then, and not to be mixed with something else.
    if (asJson && output.poured) terminal.err(`${jsonText(documentOf(fault))}\n`);
    else if (asJson) terminal.out(`${jsonText(documentOf(fault))}\n`);
    else terminal.err(`toolledger: ${terminalSafe(fault.message, { keepNewlines: true })}\n`);
    return exitCodes[fault.kind];
  }
}

function documentOf({ code, message, details }: Fault): object {
  return { error: { code, message, ...details } };
}

const stopped = new Fault('failed', 'stopped', 'Stopped before it was done, as asked.');

function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof CommanderError) {
    if (error.code === 'commander.help') return new Fault('usage', 'no_subcommand', 'A subcommand is missing. `--help` after the command lists them.');
    return new Fault('usage', 'wrong_usage', `${error.message.replace(/^error: /, '').replace(/\.$/, '')}. \`--help\` after the command shows what it takes.`);
  }
  // Anything else is a fault of the program. Its text may hold anything, so only its kind is told.
  return new Fault('failed', 'internal_error', `An error inside the program that it does not know (${error instanceof Error ? error.name : typeof error}). The log on standard error says more with LOG_LEVEL=debug; please report it.`);
}
