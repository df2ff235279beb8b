import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Owner } from '../../../src/owner/lock.js';

/** A process that tried to own a directory and keeps it until it is told to let go, or is killed. */
export interface OwnerProcess {
  readonly kind: 'owned' | 'busy';
  readonly owner: Owner | null;
  readonly pid: number;
  /** Lets go in good order. */
  release(): Promise<void>;
  /** Ends as by `kill -9`. */
  kill(): Promise<void>;
}

const script = fileURLToPath(new URL('holdOwner.mjs', import.meta.url));

/** Starts one and resolves when it has said how it went. */
export async function ownerProcess(directory: string, command: string, socket?: string): Promise<OwnerProcess> {
  const child = spawn(process.execPath, [script, directory, command, ...(socket === undefined ? [] : [socket])]);
  const said = JSON.parse(await firstLine(child)) as Pick<OwnerProcess, 'kind' | 'owner' | 'pid'>;
  const exited = once(child, 'exit');
  return {
    ...said,
    release: async () => {
      child.stdin.end();
      await exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function firstLine(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', () => reject(new Error(`the child ended without a word: ${complaints}`)));
  });
}
