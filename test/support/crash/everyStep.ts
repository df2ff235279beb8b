import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { binFile, toolledger, type Finished, type Surroundings } from '../cli/program.js';

const killer = fileURLToPath(new URL('./killAtStep.mjs', import.meta.url));

/** How many of a command's steps are tried, far apart: `CRASH_STEPS`, or all of them when it says `all`. */
const most = process.env['CRASH_STEPS'] === 'all' ? Infinity : Number(process.env['CRASH_STEPS'] ?? 1);

/** A data directory left behind by a command that was killed. */
export interface Killed {
  /** For messages: which step of how many. */
  readonly when: string;
  readonly data: string;
  /** A directory for other files, the same one that `args` named. */
  readonly outside: string;
}

type Run = (data: string, args: readonly string[], surroundings: Surroundings) => Promise<Finished>;

/** Fewest kills that count as having tried a command; a process may come to its end before the step it was to be killed at. */
export const fewestKills = Math.max(1, Math.min(3, most - 1));

/**
 * Runs a command on copies of a data directory again and again, each time killed (SIGKILL) just before another step,
 * from the last to the first, and hands out what is left each time.
 * @param root where copies may lie; removed by the caller
 * @param args the command line, given the directory where files outside the data directory lie
 * @param run runs it, for commands that somebody has to do something with meanwhile
 * @returns how many times it was killed
 */
export async function killAtEveryStep(
  root: string,
  prepared: { readonly data: string; readonly outside: string },
  args: (outside: string) => readonly string[],
  check: (killed: Killed) => Promise<void>,
  surroundings: Surroundings = {},
  run: Run = toolledger,
): Promise<number> {
  const { steps } = await attempt(root, prepared, args, null, surroundings, async () => undefined, run);
  const stride = Math.max(1, Math.ceil(steps / most));
  let kills = 0;
  // From the last on: what comes late leaves most behind.
  for (let at = steps - 1; at >= 0; at -= stride) {
    if ((await attempt(root, prepared, args, at, surroundings, check, run)).killed) kills += 1;
  }
  return kills;
}

/** @param at before which step it is killed; null: it runs to its end */
async function attempt(
  root: string,
  prepared: { readonly data: string; readonly outside: string },
  args: (outside: string) => readonly string[],
  at: number | null,
  surroundings: Surroundings,
  check: (killed: Killed) => Promise<void>,
  run: Run,
): Promise<{ readonly steps: number; readonly killed: boolean }> {
  const directory = mkdtempSync(join(root, 'step-'));
  const [data, outside, counted] = ['data', 'outside', 'steps'].map((name) => join(directory, name)) as [string, string, string];
  cpSync(prepared.data, data, { recursive: true });
  cpSync(prepared.outside, outside, { recursive: true });
  const env = { ...surroundings.env, NODE_OPTIONS: `--import ${pathToFileURL(killer).href}`, KILL_AT_STEP: String(at ?? -1), KILL_STEPS_FILE: counted, KILL_PROGRAM: binFile };
  const { code, stderr } = await run(data, args(outside), { ...surroundings, env });
  const killed = code === null;
  if (!killed && code !== 0) throw new Error(`the command fails by itself: ${stderr}`);
  const steps = killed ? 0 : Number(readFileSync(counted, 'utf8'));
  await check({ when: `before step ${at}`, data, outside });
  rmSync(directory, { recursive: true, force: true });
  return { steps, killed };
}
