import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What the process is to do once it is ready. */
export interface Plan {
  readonly cycle: number;
  /** Whether it works until it is killed; otherwise it lets its views catch up and ends. */
  readonly load: boolean;
  /** URL of an MCP server to register first. */
  readonly server: string | null;
  /** Calls of the process before, to make again. */
  readonly repeat: readonly string[];
  /** It kills itself when so many events are durable, before anybody is told. */
  readonly killAfterEvents: number | null;
}

/** One thing the process said. */
export type Said =
  | { readonly appended: string; readonly events: number }
  | { readonly called: string; readonly callId: string; readonly status: string }
  | { readonly repeated: string; readonly answer: { readonly callId: string; readonly status: string; readonly replayed?: true } };

/** A process that owns a data directory and works on it. */
export interface LoadedOwner {
  /**
   * Waits until it has begun to start, or until it owns the directory and has settled what a dead process left.
   * @returns false when it ended before
   */
  reached(phase: 'starting' | 'ready'): Promise<boolean>;
  begin(plan: Plan): void;
  kill(): void;
  /** Resolves with whether it ended by itself in good order, after everything it said was heard. */
  readonly ended: Promise<boolean>;
}

const bundler = fileURLToPath(new URL('bundleLoad.mjs', import.meta.url));
/** Beside the built workers, where the program looks for them. */
const built = fileURLToPath(new URL('../../../dist/program/', import.meta.url));

/** Builds the program that the owners run; `remove` it in the end. */
export function buildLoadedOwner(): { readonly script: string; readonly remove: () => void } {
  const script = `${built}workUntilKilled-${process.pid}.js`;
  const { status, stderr } = spawnSync(process.execPath, [bundler, script], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the program that is killed cannot be built: ${stderr}`);
  return { script, remove: () => rmSync(script, { force: true }) };
}

/**
 * @param script from `buildLoadedOwner`
 * @param onSaid gets everything it says while it works
 */
export function startLoadedOwner(script: string, directory: string, onSaid: (said: Said) => void): LoadedOwner {
  const child = spawn(process.execPath, [script, directory]);
  child.stdin.on('error', () => undefined);
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const phases = new EventEmitter();
  const reached = new Set<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as Said | { readonly phase: 'starting' | 'ready' };
    if ('phase' in said) {
      reached.add(said.phase);
      phases.emit(said.phase);
    } else onSaid(said);
  });
  const ended = (async () => {
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    if (signal !== 'SIGKILL' && code !== 0) throw new Error(`the process under load failed: ${complaints}`);
    return code === 0;
  })();
  return {
    reached: async (phase) => {
      await Promise.race([reached.has(phase) || once(phases, phase), ended]);
      return reached.has(phase);
    },
    begin: (plan) => void child.stdin.write(`${JSON.stringify(plan)}\n`),
    kill: () => void child.kill('SIGKILL'),
    ended,
  };
}
