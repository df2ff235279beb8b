import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, startProgram, type Finished, type Surroundings } from './program.js';

/** A running `toolledger serve`. */
export interface Served {
  readonly pid: number;
  /** Where its HTTP listener is, e.g. `http://127.0.0.1:4321`. */
  readonly origin: string;
  /** The bearer token of the MCP endpoint. */
  readonly token: string;
  /** What it printed on standard output so far. */
  readonly announced: string;
  /** Resolves when it has ended by itself or otherwise. */
  readonly ended: Promise<Finished>;
  /** Sends a signal (default SIGTERM) and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** Starts `serve` and waits until it has said that it is ready. */
export async function startServe(data: string, surroundings: Surroundings = {}): Promise<Served> {
  const child = startProgram(data, ['serve'], surroundings);
  const finished = outputOf(child);
  const announced = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: string) => {
      text += chunk;
      // The last line of the announcement.
      if (text.includes('mcp add')) resolve(text);
    });
    void finished.then(({ code, stderr }) => {
      reject(new Error(`serve ended with ${code} before it was ready: ${stderr}`));
    });
  });
  const origin = /http:\/\/127\.0\.0\.1:\d+(?=\/health)/.exec(announced)?.[0];
  if (origin === undefined || child.pid === undefined) throw new Error(`serve did not say where it listens: ${announced}`);
  return {
    pid: child.pid,
    origin,
    token: readFileSync(join(data, 'mcp-token'), 'utf8').trim(),
    announced,
    ended: finished,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return finished;
    },
  };
}
