import { describe, expect, it } from '@jest/globals';
import { makeSerialByKey } from '../../../src/commands/handler/serialByKey.js';

/** A task that notes its start and ends when told to. */
function heldTask(started: string[], name: string) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const task = async () => {
    started.push(name);
    await ended;
    return name;
  };
  return { task, end };
}

describe('tasks of one key', () => {
  it('start one after another, also those that come while others wait', async () => {
    const inOrder = makeSerialByKey();
    const started: string[] = [];
    const [one, two, three] = ['one', 'two', 'three'].map((name) => heldTask(started, name)) as [
      ReturnType<typeof heldTask>,
      ReturnType<typeof heldTask>,
      ReturnType<typeof heldTask>,
    ];

    const first = inOrder('a', one.task);
    const second = inOrder('a', two.task);
    expect(started).toEqual(['one']);
    one.end();
    expect(await first).toBe('one');
    const third = inOrder('a', three.task);
    expect(started).toEqual(['one', 'two']);
    two.end();
    three.end();

    expect(await Promise.all([second, third])).toEqual(['two', 'three']);
    expect(started).toEqual(['one', 'two', 'three']);
  });

  it('start also behind one that failed, whose failure goes to whoever asked for it', async () => {
    const inOrder = makeSerialByKey();
    const failing = inOrder('a', async () => Promise.reject(new Error('no')));
    const next = inOrder('a', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});

describe('tasks of different keys', () => {
  it('run side by side', async () => {
    const inOrder = makeSerialByKey();
    const started: string[] = [];
    const held = heldTask(started, 'held');
    const slow = inOrder('a', held.task);
    expect(await inOrder('b', async () => 'quick')).toBe('quick');
    held.end();
    expect(await slow).toBe('held');
  });
});
