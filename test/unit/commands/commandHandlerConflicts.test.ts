import { describe, expect, it } from '@jest/globals';
import { toolSettingsDecider, toolSettingsStream, type ToolSettingsCommand } from '../../../src/commands/toolSettings.js';
import { workspaceDecider, workspaceStream } from '../../../src/commands/workspace.js';
import type { AppendResult } from '../../../src/events/eventStore.js';
import { EventStoreError } from '../../../src/events/storeError.js';
import { countingIds, handlerUnderTest, origin } from '../../support/handlerUnderTest.js';

const settings = toolSettingsStream('local');
const turn = (tool: string, on: boolean): ToolSettingsCommand => ({ type: 'SetSwitch', tool, on });
const open = { type: 'Open', kind: 'local' } as const;

const unknown = async () => Promise.reject(new EventStoreError({ code: 'outcome_unknown', detail: 'the writer is gone' }));
const unavailable = async () => Promise.reject(new EventStoreError({ code: 'unavailable', detail: 'it was closed' }));
const overloaded = async () => Promise.reject(new EventStoreError({ code: 'overloaded', waiting: 1, limit: 1, unit: 'appends' }));
const conflict = async () =>
  Promise.reject(new EventStoreError({ code: 'wrong_expected_revision', stream: settings, expected: 'noStream', actual: 3 }));
const storedButUnknown = async (append: () => Promise<AppendResult>) => {
  await append();
  return unknown();
};

/** Two handlers on one store, as two processes on one cluster. */
function twoHandlers() {
  const one = handlerUnderTest();
  const other = handlerUnderTest({ store: one.store, newId: countingIds('9000') });
  return { store: one.store, one: one.handler, other: other.handler };
}

describe('a stream that others write to', () => {
  it('is read again and the command decided again', async () => {
    const { one, other, store } = twoHandlers();
    await one.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);
    await other.execute(toolSettingsDecider, settings, [turn('echo', false)], origin);

    const outcome = await one.execute(toolSettingsDecider, settings, [turn('roll_dice', true)], origin);

    expect(outcome).toMatchObject({ kind: 'recorded', revision: 2, state: { switches: new Map([['echo', false], ['roll_dice', true]]) } });
    expect(store.appends.map(({ expected }) => expected)).toEqual(['noStream', 0, 0, 1]);
  });

  it('is looked at before anybody is told that nothing needs to be recorded', async () => {
    const { one, other } = twoHandlers();
    await one.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);
    await other.execute(toolSettingsDecider, settings, [turn('echo', false)], origin);

    expect(await one.execute(toolSettingsDecider, settings, [turn('echo', true)], origin)).toMatchObject({ kind: 'recorded', revision: 2 });
  });

  it('is looked at before anybody is refused', async () => {
    const { one, other } = twoHandlers();
    await one.load(workspaceDecider, workspaceStream('local'));
    await other.execute(workspaceDecider, workspaceStream('local'), [open], origin);

    expect(await one.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Close' }], origin)).toMatchObject({ kind: 'recorded' });
  });

  it('is given up on after eight further tries', async () => {
    const { handler, store } = handlerUnderTest();
    store.onNextAppends(...Array.from({ length: 20 }, () => conflict));

    await expect(handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin)).rejects.toMatchObject({
      failure: { code: 'wrong_expected_revision' },
    });
    expect(store.appends).toHaveLength(9);
  });
});

describe('commands that come at once', () => {
  it('on one stream are taken in order and never conflict with each other', async () => {
    const { handler, store } = handlerUnderTest();
    const asked = Array.from({ length: 40 }, (_, index) => turn('echo', index % 2 === 0));

    const outcomes = await Promise.all(asked.map((command) => handler.execute(toolSettingsDecider, settings, [command], origin)));

    expect(outcomes.map(({ revision }) => revision)).toEqual(asked.map((_, index) => index));
    expect(store.appends).toHaveLength(asked.length);
  });

  it('on different streams do not wait for each other', async () => {
    const { handler, store } = handlerUnderTest();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    store.onNextAppends(async (append) => {
      await held;
      return append();
    });

    const slow = handler.execute(workspaceDecider, workspaceStream('g1'), [open], origin, { expectNew: true });
    const quick = await handler.execute(workspaceDecider, workspaceStream('g2'), [open], origin, { expectNew: true });
    release();

    expect(quick).toMatchObject({ kind: 'recorded', position: '1' });
    expect(await slow).toMatchObject({ kind: 'recorded', position: '2' });
  });

  it('are taken also behind one that failed', async () => {
    const { handler, store } = handlerUnderTest();
    store.onNextAppends(overloaded);

    const failing = handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);
    const next = handler.execute(toolSettingsDecider, settings, [turn('echo', false)], origin);

    await expect(failing).rejects.toMatchObject({ failure: { code: 'overloaded' } });
    expect(await next).toMatchObject({ kind: 'recorded', revision: 0 });
  });
});

describe('an append that may or may not be stored', () => {
  const turnOn = (handler: ReturnType<typeof handlerUnderTest>['handler']) => handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);

  it.each([
    { was: 'stored', answer: storedButUnknown },
    { was: 'not stored', answer: unknown },
  ])('is asked for again under the same ids, and recorded once, when it was $was', async ({ answer }) => {
    const { handler, store } = handlerUnderTest();
    store.onNextAppends(answer);

    expect(await turnOn(handler)).toMatchObject({ kind: 'recorded', revision: 0, position: '1' });

    expect(store.appends).toHaveLength(2);
    expect(store.appends[1]).toEqual(store.appends[0]);
    expect(await store.countAfter(null)).toBe(1);
  });

  it('is given up on as unknown after four tries', async () => {
    const { handler, store } = handlerUnderTest();
    store.onNextAppends(unknown, unknown, unknown, unknown, unknown);

    await expect(turnOn(handler)).rejects.toMatchObject({ failure: { code: 'outcome_unknown' } });
    expect(store.appends).toHaveLength(4);
  });

  it('stays unknown when the store is out of reach afterwards', async () => {
    const { handler, store } = handlerUnderTest();
    store.onNextAppends(storedButUnknown, unavailable);
    await expect(turnOn(handler)).rejects.toMatchObject({ failure: { code: 'outcome_unknown' } });
  });

  it('is decided again when the store says that something else is there', async () => {
    const { one, other, store } = twoHandlers();
    store.onNextAppends(async () => {
      await other.execute(toolSettingsDecider, settings, [turn('roll_dice', false)], origin);
      return unknown();
    });

    expect(await turnOn(one)).toMatchObject({ kind: 'recorded', revision: 1 });
    expect(await store.countAfter(null)).toBe(2);
  });

  it('is looked up before the kept fold is believed again', async () => {
    const { handler, store } = handlerUnderTest({ soleWriter: true });
    await handler.load(toolSettingsDecider, settings);
    store.onNextAppends(storedButUnknown, unavailable);
    await expect(turnOn(handler)).rejects.toThrow();

    expect(await handler.load(toolSettingsDecider, settings)).toMatchObject({ revision: 0, state: { switches: new Map([['echo', true]]) } });
    expect(await turnOn(handler)).toMatchObject({ kind: 'unchanged' });
  });
});
