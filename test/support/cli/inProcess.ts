import { afterAll, beforeAll, expect } from '@jest/globals';
import { openToolledger } from '../../../src/app/openToolledger.js';
import { version } from '../../../src/app/version.js';
import { run } from '../../../src/cli/run.js';
import type { Terminal } from '../../../src/cli/terminal.js';
import { readConfig } from '../../../src/platform/config.js';
import { makeLog } from '../../../src/platform/log.js';
import { jsonAnswer, toolledger, type Finished, type JsonAnswer, type Surroundings } from './program.js';

/** What is around a command line that runs in this process. */
interface Around extends Pick<Surroundings, 'env'> {
  /** Width of the terminal it prints on; null: it prints on none. */
  readonly columns?: number | null;
  /** What is on standard input; a command that reads it without fails. */
  readonly input?: string;
  /** Stops the command, as SIGTERM would. */
  readonly signal?: AbortSignal;
  /** Told of everything that was printed so far. */
  readonly onPrinted?: (stdout: string) => void;
  /** Told of everything that was written to standard error so far. */
  readonly onTold?: (stderr: string) => void;
}

/**
 * Runs one command line in this process, as `bin.js` does in one of its own: the same commands, operations, sockets and
 * files, only that no process is started for it. For many command lines whose process is not the question.
 */
export async function inThisProcess(data: string, args: readonly string[], { env = {}, columns = null, input, signal, onPrinted, onTold }: Around = {}): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  const say = (text: string): void => {
    stdout += text;
    onPrinted?.(stdout);
  };
  const nobody = async (): Promise<never> => Promise.reject(new Error(`${args.join(' ')} asks for input: run it in a process`));
  const terminal: Terminal = {
    out: say,
    pour: async (text) => say(text),
    err: (text) => {
      stderr += text;
      onTold?.(stderr);
    },
    columns,
    progressInPlace: false,
    readInput: async () => input ?? nobody(),
    confirm: nobody,
    askSecret: nobody,
  };
  const config = readConfig({ TOOLLEDGER_DATA: data, TOOLLEDGER_PORT: '0', ...env });
  const log = makeLog({ level: config.logLevel, destination: { write: (line) => (stderr += line) } });
  const code = await run(args, version, openToolledger(config, log), terminal, signal ?? new AbortController().signal);
  return { code, stdout, stderr };
}

/**
 * Runs `serve` in this process until it is stopped: command lines beside it cost a fraction of what they cost alone.
 * @returns stops it and gives how it ended
 */
export async function serveHere(data: string, around: Pick<Around, 'env' | 'onTold'> = {}): Promise<() => Promise<Finished>> {
  const stop = new AbortController();
  let finished: Promise<Finished> | null = null;
  await new Promise<void>((ready, failed) => {
    // The last line of the announcement.
    const onPrinted = (stdout: string): void => {
      if (stdout.includes('mcp add')) ready();
    };
    finished = inThisProcess(data, ['serve'], { ...around, signal: stop.signal, onPrinted });
    finished.then(({ code, stderr }) => failed(new Error(`serve ended with ${code}: ${stderr}`)), failed);
  });
  return async () => {
    stop.abort();
    return finished as unknown as Promise<Finished>;
  };
}

/** Runs one command line with `--json` in this process. */
export async function jsonInThisProcess(data: string, args: readonly string[], around: Around = {}): Promise<JsonAnswer> {
  return jsonAnswer(args, await inThisProcess(data, [...args, '--json'], around));
}

/** Runs command lines one after the other. */
export interface Runner {
  (...args: string[]): Promise<Finished>;
  /** With `--json`, which gives exactly one line of it. */
  readonly json: (...args: string[]) => Promise<JsonAnswer>;
}

/** Kinds of command lines of which one ran in a process; a test file has a copy of this module of its own. */
const ranInProcesses = new Set<string>();

/**
 * Runs the first command line of each kind in a test file, by its first word, in a process of its own, and those alike in this one:
 * a story's point is what the commands do, and one of each shows that a process does it.
 */
export function firstInProcesses(data: string): Runner {
  return runner(async (args) => {
    const kind = args[0] ?? '';
    if (ranInProcesses.has(kind)) return inThisProcess(data, args);
    ranInProcesses.add(kind);
    return toolledger(data, args);
  });
}

/** Runs command lines in this process, beside a `serve` in it for the tests of the file or `describe` at hand. */
export function besideServe(data: string, around: Pick<Around, 'columns' | 'env'> = {}): Runner {
  let stop: () => Promise<Finished>;
  beforeAll(async () => {
    stop = await serveHere(data, around);
  });
  afterAll(async () => {
    expect(await stop()).toMatchObject({ code: 0 });
  });
  return runner((args) => inThisProcess(data, args, around));
}

function runner(runOne: (args: readonly string[]) => Promise<Finished>): Runner {
  const one = async (...args: string[]): Promise<Finished> => runOne(args);
  return Object.assign(one, {
    json: async (...args: string[]): Promise<JsonAnswer> => jsonAnswer(args, await one(...args, '--json')),
  });
}
