import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built program, as it is installed. */
export const binFile = fileURLToPath(new URL('../../../dist/program/app/bin.js', import.meta.url));

/** A process that has ended. */
export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a process is started. */
export interface Surroundings {
  /** What stands on its standard input; nothing by default. */
  readonly input?: string | Buffer;
  readonly env?: { readonly [name: string]: string };
  /** As which user. */
  readonly uid?: number;
}

/** Starts the program on a data directory; nothing of this process's environment reaches it but PATH. */
export function startProgram(data: string, args: readonly string[], { env = {}, uid }: Surroundings = {}): ChildProcess {
  return spawn(process.execPath, [binFile, ...args], {
    env: { PATH: process.env['PATH'], TOOLLEDGER_DATA: data, TOOLLEDGER_PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
}

/** Runs one command line to its end. */
export async function toolledger(data: string, args: readonly string[], surroundings: Surroundings = {}): Promise<Finished> {
  const child = startProgram(data, args, surroundings);
  const finished = outputOf(child);
  // It may end without reading everything.
  child.stdin?.on('error', () => undefined).end(surroundings.input ?? '');
  return finished;
}

/** What a command line with `--json` gave. */
export interface JsonAnswer {
  readonly code: number | null;
  /** As if every command answered with all that some test goes on with; the rest is compared as it is. */
  readonly document: {
    readonly callId: string;
    readonly calls: readonly { readonly callId: string; readonly reasons: readonly string[] }[];
    readonly error: { readonly code: string; readonly message: string };
    readonly events: number;
    readonly servers: readonly { readonly standing: string | null; readonly toolNames: readonly string[] | null }[];
    readonly tools: readonly unknown[];
    readonly views: readonly { readonly name: string; readonly digest: string }[];
    readonly workspaces: readonly unknown[];
  };
  readonly stderr: string;
}

/**
 * Runs one command line with `--json`.
 * @returns the exit code and the one document on standard output; fails when there is not exactly one line of it
 */
export async function toolledgerJson(data: string, args: readonly string[], surroundings: Surroundings = {}): Promise<JsonAnswer> {
  return jsonAnswer(args, await toolledger(data, [...args, '--json'], surroundings));
}

/** What a command line with `--json` gave; fails when there is not exactly one line on standard output. */
export function jsonAnswer(args: readonly string[], { code, stdout, stderr }: Finished): JsonAnswer {
  if (!/^[^\n]+\n$/.test(stdout)) throw new Error(`Expected one line of JSON from ${args.join(' ')} (exit ${code}), got: ${stdout}\n${stderr}`);
  return { code, document: JSON.parse(stdout) as JsonAnswer['document'], stderr };
}

/** Everything a process prints, and how it ends. */
export async function outputOf(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
