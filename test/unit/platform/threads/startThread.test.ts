import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { startThread, type Thread, type ThreadBody } from '../../../../src/platform/threads/startThread.js';

const here = (body: ThreadBody<string>): Thread => startThread({ file: 'never.js', load: async () => body }, 'data', 'here');

/** Answers whatever it is told with what it was started with. */
function echo(port: MessagePort, data: string): void {
  port.on('message', (message: unknown) => {
    if (message === 'close') port.close();
    else port.postMessage([data, message]);
  });
}

describe('work in this thread, seen from outside', () => {
  it('answers in order, also what was asked before it was loaded, and copies what crosses', async () => {
    const thread = here(echo);
    const asked = { number: 1 };
    const answers: unknown[] = [];
    thread.on('message', (answer) => answers.push(answer));
    thread.postMessage(asked);
    asked.number = 2;
    thread.postMessage('second');
    thread.postMessage('close');
    await once(thread, 'exit');
    expect(answers).toEqual([['data', { number: 1 }], ['data', 'second']]);
  });

  it('ends when it is terminated', async () => {
    const thread = here(echo);
    const exited = once(thread, 'exit');
    await thread.terminate();
    await exited;
  });

  it('tells that it failed to start, and ends', async () => {
    const thread = here(() => {
      throw new Error('no such file');
    });
    const failed = new Promise((resolve) => thread.once('error', resolve));
    const exited = new Promise((resolve) => thread.once('exit', resolve));
    expect(await failed).toMatchObject({ message: 'no such file' });
    await exited;
  });
});
