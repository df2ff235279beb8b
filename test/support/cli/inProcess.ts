import { openToolledger } from '../../../src/app/openToolledger.js';
import { version } from '../../../src/app/version.js';
import { run } from '../../../src/cli/run.js';
import type { Terminal } from '../../../src/cli/terminal.js';
import { readConfig } from '../../../src/platform/config.js';
import { makeLog } from '../../../src/platform/log.js';
import { toolledger, type Finished, type JsonAnswer } from './program.js';

/**
 * Runs one command line in this process, as `bin.js` does in one of its own: the same commands, operations, sockets and
 * files, only that no process is started for it. For many command lines whose process is not the question; there is
 * nothing on standard input.
 * @param columns of the terminal that it prints on; null: none
 */
export async function inThisProcess(data: string, args: readonly string[], columns: number | null = null): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  const nobody = async (): Promise<never> => Promise.reject(new Error(`${args.join(' ')} asks for input: run it in a process`));
  const terminal: Terminal = {
    out: (text) => void (stdout += text),
    pour: async (text) => void (stdout += text),
    err: (text) => void (stderr += text),
    columns,
    progressInPlace: false,
    readInput: nobody,
    confirm: nobody,
    askSecret: nobody,
  };
  const config = readConfig({ TOOLLEDGER_DATA: data, TOOLLEDGER_PORT: '0' });
  const log = makeLog({ level: config.logLevel, destination: { write: (line) => (stderr += line) } });
  const code = await run(args, version, openToolledger(config, log), terminal, new AbortController().signal);
  return { code, stdout, stderr };
}

/** Runs command lines one after the other. */
export interface Runner {
  (...args: string[]): Promise<Finished>;
  /** With `--json`, which gives exactly one line of it. */
  readonly json: (...args: string[]) => Promise<JsonAnswer>;
}

/**
 * Runs the first command line of each kind, by its first word, in a process of its own, and those alike in this one:
 * a story's point is what the commands do, and one of each shows that a process does it.
 */
export function firstInProcesses(data: string): Runner {
  const seen = new Set<string>();
  const one = async (...args: string[]): Promise<Finished> => {
    const kind = args[0] ?? '';
    if (seen.has(kind)) return inThisProcess(data, args);
    seen.add(kind);
    return toolledger(data, args);
  };
  return Object.assign(one, {
    json: async (...args: string[]): Promise<JsonAnswer> => {
      const { code, stdout, stderr } = await one(...args, '--json');
      if (!/^[^\n]+\n$/.test(stdout)) throw new Error(`Expected one line of JSON from ${args.join(' ')} (exit ${code}), got: ${stdout}\n${stderr}`);
      return { code, document: JSON.parse(stdout) as JsonAnswer['document'], stderr };
    },
  });
}
