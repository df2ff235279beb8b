import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs one script of this folder in a process of its own, so that its memory is its own, and gives what it sends.
 * @param input one JSON value
 */
export async function inChild(script, input) {
  const child = fork(new URL(script, import.meta.url), [JSON.stringify(input)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const [answer] = await Promise.race([once(child, 'message'), exited.then(([code]) => Promise.reject(new Error(`${script} ended with ${code}`)))]);
  await exited;
  return answer;
}

/** What the script was given. */
export function given() {
  return JSON.parse(process.argv[2]);
}

/** Sends the answer and ends. */
export function answer(value) {
  process.send(value, () => process.disconnect());
}

/** Most memory this process ever held, in MB. */
export function peakMemory() {
  return process.resourceUsage().maxRSS / 1024;
}
