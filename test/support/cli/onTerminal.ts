import { spawn, spawnSync } from 'node:child_process';
import { binFile, outputOf } from './program.js';

/** Whether this machine has util-linux's `script`, which makes pseudo terminals. */
export const hasTerminals = spawnSync('script', ['--version']).status === 0;

/** What a command line on a terminal printed, both streams as a person sees them, and how it ended. */
export interface SeenOnTerminal {
  readonly code: number | null;
  readonly seen: string;
}

/** Somebody at the terminal, once asked. */
export interface Person {
  /** Types keys: `y\r`, or `\x03` for Ctrl-C. */
  type(keys: string): void;
  /** Leaves: the terminal's input ends. */
  leave(): void;
  /** Sends a signal to the program from elsewhere. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Runs one command line on a pseudo terminal of its own.
 * @param asked what is on the screen when somebody is to answer
 * @param answer what they do then
 */
export async function onTerminal(data: string, args: readonly string[], asked: string, answer: (person: Person) => void): Promise<SeenOnTerminal> {
  const words = [process.execPath, binFile, ...args].map((word) => `'${word}'`).join(' ');
  const terminal = spawn('script', ['--quiet', '--return', '--command', `echo "process $$"; exec ${words}`, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'dumb', TOOLLEDGER_DATA: data, TOOLLEDGER_PORT: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const finished = outputOf(terminal);
  let screen = '';
  let answered = false;
  terminal.stdout.on('data', (text: string) => {
    screen += text;
    if (answered || !screen.includes(asked)) return;
    answered = true;
    const pid = Number(/process (\d+)/.exec(screen)?.[1]);
    answer({ type: (keys) => void terminal.stdin.write(keys), leave: () => void terminal.stdin.end(), signal: (name) => void process.kill(pid, name) });
  });
  const { code, stdout } = await finished;
  return { code, seen: stdout };
}
