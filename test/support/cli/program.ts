import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built program, as it is installed. */
export const binFile = fileURLToPath(new URL('../../../dist/app/bin.js', import.meta.url));

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

/**
 * Runs one command line with `--json`.
 * @returns the exit code and the one document on standard output; fails when there is not exactly one line of it
 */
export async function toolledgerJson<Document = unknown>(
  data: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<{ readonly code: number | null; readonly document: Document; readonly stderr: string }> {
  const { code, stdout, stderr } = await toolledger(data, [...args, '--json'], surroundings);
  if (!/^[^\n]+\n$/.test(stdout)) throw new Error(`Expected one line of JSON from ${args.join(' ')} (exit ${code}), got: ${stdout}\n${stderr}`);
  return { code, document: JSON.parse(stdout) as Document, stderr };
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
