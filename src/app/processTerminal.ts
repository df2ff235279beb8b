import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Terminal } from '../cli/terminal.js';
import { Fault } from '../platform/fault.js';

/** The terminal, pipes or files that the process was started with. */
export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  pour: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => {
        if (error) reject(new Fault('failed', 'output_closed', 'Whoever read the output is gone or cannot take more of it; what was written is cut.', {}, { cause: error }));
        else resolve();
      });
    }),
  err: (text) => void process.stderr.write(text),
  columns: process.stdout.isTTY ? process.stdout.columns : null,
  progressInPlace: process.stderr.isTTY,

  async readInput(limit) {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new Fault('usage', 'input_too_large', `Standard input holds more than ${limit} bytes, which is the most that is taken.`, { limit });
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  },

  async confirm(question, signal) {
    if (!process.stdin.isTTY) throw new Fault('usage', 'no_terminal', 'There is no terminal to ask on. Give --yes if you mean it; nothing was changed.');
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await answerTo(lines, question, signal);
    // The question's line is still open where no answer ended it.
    if (answer === null) process.stderr.write('\n');
    return /^y(es)?$/i.test(answer?.trim() ?? '');
  },

  async askSecret(question, signal) {
    if (!process.stdin.isTTY) throw new Fault('usage', 'no_terminal', 'There is no terminal to ask on; give the secret on standard input with the option that ends in -stdin.');
    process.stderr.write(question);
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
    const secret = await answerTo(lines, '', signal);
    process.stderr.write('\n');
    if (secret === null) throw new Fault('failed', 'not_answered', 'No secret was given; nothing was changed.');
    return secret;
  },
};

/** One line of an answer, or null when whoever was asked pressed Ctrl-C or Ctrl-D, or the process was asked to stop. */
async function answerTo(lines: Interface, question: string, signal: AbortSignal): Promise<string | null> {
  try {
    return await lines.question(question, { signal });
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  } finally {
    lines.close();
  }
}
