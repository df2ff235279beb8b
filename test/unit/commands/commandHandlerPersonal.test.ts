import { describe, expect, it } from '@jest/globals';
import type { Decider, Proposed } from '../../../src/commands/decider.js';
import { toolCallDecider, toolCallStream } from '../../../src/commands/toolCall/toolCall.js';
import { boxesOf, openBox } from '../../../src/events/box.js';
import { handlerUnderTest, origin, testKey } from '../../support/handlerUnderTest.js';
import { commands } from '../../support/toolCalls.js';

const call = toolCallStream('c1');
const admit = { ...commands.admit, subject: 'subject-2', personal: { arguments: { city: 'Kyoto' } } };

/** Wants exactly this recorded, right or wrong. */
function wanting(event: Proposed<{ readonly type: string; readonly data: unknown }>): Decider<null, null, { readonly type: string }, never> {
  return { initialState: () => null, decide: () => ({ kind: 'accepted', events: [event] }), evolve: () => null };
}

describe('personal values', () => {
  it('are sealed with the key of the person they belong to, bound to stream and event', async () => {
    const { handler, store } = handlerUnderTest();
    await handler.execute(toolCallDecider, call, [admit], origin);

    const [event] = await store.readStream(call, 0, 1);
    const [[subject, box] = ['', ''], ...others] = boxesOf(event?.boxes ?? '');

    expect(JSON.stringify(event)).not.toContain('Kyoto');
    expect(others).toEqual([]);
    expect(subject).toBe('subject-2');
    expect(openBox(testKey('subject-2'), { stream: call, eventId: event?.id ?? '', subject }, box)).toEqual({ arguments: { city: 'Kyoto' } });
  });

  it('make no box and ask for no key when there are none', async () => {
    const { handler, store } = handlerUnderTest({ keys: { keyOf: async () => Promise.reject(new Error('asked')) } });
    await handler.execute(toolCallDecider, call, [commands.admit], origin);
    expect(await store.readStream(call, 0, 1)).toMatchObject([{ boxes: '' }]);
  });

  it('are dropped when the person was erased', async () => {
    const { handler, store } = handlerUnderTest({ keys: { keyOf: async () => null } });
    expect(await handler.execute(toolCallDecider, call, [admit], origin)).toMatchObject({ kind: 'recorded' });
    expect(await store.readStream(call, 0, 1)).toMatchObject([{ boxes: '' }]);
  });

  it('are dropped when nobody but the system acted', async () => {
    const { handler, store } = handlerUnderTest({ keys: { keyOf: async () => Promise.reject(new Error('asked')) } });
    await handler.execute(toolCallDecider, call, [{ ...admit, subject: 'system' }], origin);
    expect(await store.readStream(call, 0, 1)).toMatchObject([{ boxes: '' }]);
  });

  it('wait for a key that is durable before anything is appended', async () => {
    let makeDurable = (): void => undefined;
    let asked = (): void => undefined;
    const wasAsked = new Promise<void>((resolve) => (asked = resolve));
    const durable = new Promise<void>((resolve) => (makeDurable = resolve));
    const keyOf = async (subject: string) => {
      asked();
      await durable;
      return testKey(subject);
    };
    const { handler, store } = handlerUnderTest({ keys: { keyOf } });

    const executing = handler.execute(toolCallDecider, call, [admit], origin, { expectNew: true });
    await wasAsked;
    expect(store.appends).toEqual([]);
    makeDurable();

    expect(await executing).toMatchObject({ kind: 'recorded' });
  });

  it('keep the event out of the ledger when the key cannot be had', async () => {
    const { handler, store } = handlerUnderTest({ keys: { keyOf: async () => Promise.reject(new Error('the vault is locked')) } });
    await expect(handler.execute(toolCallDecider, call, [admit], origin)).rejects.toThrow('the vault is locked');
    expect(await store.head()).toBeNull();
  });
});

describe('a decider that is wrong', () => {
  const opened = { type: 'WorkspaceOpened', data: { kind: 'local' } };
  const secret = 'something-private';
  const personal = { subject: 'subject-1', values: { preview: 'x' } };

  it.each([
    { what: 'an unknown type', event: { type: 'NothingHappened', data: {} } },
    { what: 'data that breaks the schema', event: { type: 'WorkspaceOpened', data: { kind: secret } } },
    { what: 'a field too many', event: { type: 'WorkspaceOpened', data: { kind: 'local', [secret]: 1 } } },
    { what: 'no data', event: { type: 'WorkspaceOpened', data: undefined } },
    { what: 'personal values where none belong', event: { ...opened, personal: [personal] } },
    {
      what: 'personal values that break the schema',
      event: { type: 'ToolCallSucceeded', data: commands.succeed.data, personal: [{ subject: 'subject-1', values: { preview: 1, [secret]: secret } }] },
    },
    { what: 'two sets of values of one person', event: { type: 'ToolCallSucceeded', data: commands.succeed.data, personal: [personal, personal] } },
  ])('cannot record $what', async ({ event }) => {
    const { handler, store } = handlerUnderTest();

    const executing = handler.execute(wanting(event), 'spec-1', [null], origin);

    await expect(executing).rejects.toMatchObject({ code: 'invalid_event', message: expect.not.stringContaining(secret) });
    await expect(executing).rejects.toMatchObject({ details: { type: event.type } });
    expect(await store.head()).toBeNull();
  });

  it('cannot record a value nested beyond any bound', async () => {
    const { handler, store } = handlerUnderTest();
    const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) as [];

    const executing = handler.execute(toolCallDecider, call, [{ ...admit, personal: { arguments: deep } }], origin);

    await expect(executing).rejects.toMatchObject({ code: 'invalid_event' });
    expect(await store.head()).toBeNull();
  });
});
