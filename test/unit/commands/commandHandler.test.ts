import { describe, expect, it } from '@jest/globals';
import type { Decider, EventPlace } from '../../../src/commands/decider.js';
import { toolCallDecider, toolCallStream } from '../../../src/commands/toolCall/toolCall.js';
import { toolSettingsDecider, toolSettingsStream, type ToolSettingsCommand } from '../../../src/commands/toolSettings.js';
import { workspaceDecider, workspaceStream } from '../../../src/commands/workspace.js';
import type { ToolSettingsEvent } from '../../../src/events/catalogue/toolSettings.js';
import { countingIds, handlerUnderTest, origin } from '../../support/handlerUnderTest.js';
import { commands } from '../../support/toolCalls.js';
import { watchedStore } from '../../support/watchedStore.js';

const { admit, refuse, succeed, fail } = commands;
const call = toolCallStream('c1');
const settings = toolSettingsStream('local');
const turn = (tool: string, on: boolean): ToolSettingsCommand => ({ type: 'SetSwitch', tool, on });

/** Remembers where each event lay, to see that a kept fold saw the same places as one that is read. */
const places: Decider<ToolSettingsCommand, readonly EventPlace[], ToolSettingsEvent, never> = {
  initialState: () => [],
  decide: (command) => (command.type === 'SetSwitch' ? { kind: 'accepted', events: [{ type: 'ToolSwitchSet', data: { tool: command.tool, on: command.on } }] } : { kind: 'accepted', events: [] }),
  evolve: (state, _, { id, stream, revision, recordedAt, occurredAt, actor, door, onBehalfOf, correlation, causation, workspace, runner }) => [
    ...state,
    { id, stream, revision, recordedAt, occurredAt, actor, door, onBehalfOf, correlation, causation, workspace, runner },
  ],
};

describe('executing a command', () => {
  it('records what is decided, with its envelope', async () => {
    const { handler, store } = handlerUnderTest();
    const asked = { ...origin, door: 'mcp', onBehalfOf: 'subject-2', correlation: 'turn-1', causation: 'event-0' } as const;

    const outcome = await handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Open', kind: 'local' }], asked);

    const id = '0198c0de-0000-7000-8000-000000000001';
    expect(outcome).toEqual({
      kind: 'recorded',
      state: { status: 'open', since: expect.any(Number) },
      revision: 0,
      events: [{ type: 'WorkspaceOpened', data: { kind: 'local' }, id }],
      position: '1',
      recordedAt: 5_001,
    });
    expect(await store.readStream('workspace-local', 0, 10)).toEqual([
      {
        ...asked,
        id,
        stream: 'workspace-local',
        revision: 0,
        position: '1',
        type: 'WorkspaceOpened',
        version: 1,
        occurredAt: 5_000,
        recordedAt: 5_001,
        runner: 'runner-1',
        data: '{"kind":"local"}',
        boxes: '',
        leaf: expect.any(Uint8Array),
      },
    ]);
  });

  it('records nothing when it is already so, and says how it is', async () => {
    const { handler, store } = handlerUnderTest();
    await handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);

    const outcome = await handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);

    expect(outcome).toEqual({ kind: 'unchanged', state: { switches: new Map([['echo', true]]), policy: null }, revision: 0 });
    expect(store.appends).toHaveLength(1);
  });

  it('records nothing when the decider refuses, and says why', async () => {
    const { handler, store } = handlerUnderTest();

    const outcome = await handler.execute(workspaceDecider, workspaceStream('g1'), [{ type: 'Close' }], origin);

    expect(outcome).toEqual({ kind: 'refused', refusal: { code: 'workspace_unknown' }, state: { status: 'unknown', since: 0 }, revision: null });
    expect(store.appends).toEqual([]);
  });

  it('appends the events of several commands together', async () => {
    const { handler, store } = handlerUnderTest();

    const outcome = await handler.execute(toolCallDecider, call, [admit, succeed], origin, { expectNew: true });

    expect(outcome).toMatchObject({ kind: 'recorded', revision: 1, position: '2', state: { kind: 'ended', ending: { how: 'succeeded', revision: 1 } } });
    expect(store.appends).toHaveLength(1);
    expect(await store.readStream(call, 0, 10)).toMatchObject([{ type: 'ToolCallAdmitted' }, { type: 'ToolCallSucceeded' }]);
  });

  it('appends none of them when one is refused', async () => {
    const { handler, store } = handlerUnderTest();

    const outcome = await handler.execute(toolCallDecider, call, [admit, succeed, fail], origin);

    expect(outcome).toEqual({ kind: 'refused', refusal: { code: 'already_ended', how: 'succeeded' }, state: { kind: 'none' }, revision: null });
    expect(await store.head()).toBeNull();
  });

  it('goes on with the state of earlier commands', async () => {
    const { handler } = handlerUnderTest();
    await handler.execute(toolCallDecider, call, [admit], origin);
    await handler.execute(toolCallDecider, call, [succeed], origin);

    const outcome = await handler.execute(toolCallDecider, call, [fail], origin);

    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'already_ended', how: 'succeeded' }, revision: 1 });
  });

  it('does not read a stream that is expected to be new', async () => {
    const { handler, store } = handlerUnderTest();
    await handler.execute(toolCallDecider, call, [admit], origin, { expectNew: true });
    expect(store.reads).toEqual([]);
  });

  it('reads it after all when it is not new, and decides on what is there', async () => {
    const { handler, store } = handlerUnderTest();
    const other = handlerUnderTest({ store, newId: countingIds('9000') });
    await other.handler.execute(toolCallDecider, call, [admit], origin);

    const outcome = await handler.execute(toolCallDecider, call, [admit], origin, { expectNew: true });

    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'already_recorded' }, state: { kind: 'open' }, revision: 0 });
  });

  it('reads it after all before it refuses or leaves out what would be right if it were not new', async () => {
    const { handler, store } = handlerUnderTest();
    const other = handlerUnderTest({ store, newId: countingIds('9000'), soleWriter: true });
    await other.handler.execute(toolCallDecider, call, [admit], origin);

    expect(await handler.execute(toolCallDecider, call, [succeed], origin, { expectNew: true })).toMatchObject({ kind: 'recorded', revision: 1 });
  });
});

describe('loading a stream', () => {
  it('gives the initial state of one that does not exist', async () => {
    const { handler } = handlerUnderTest();
    expect(await handler.load(toolSettingsDecider, settings)).toEqual({ state: { switches: new Map(), policy: null }, revision: null });
  });

  it('gives what every answered command made of it', async () => {
    const { handler } = handlerUnderTest();
    await handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);
    expect(await handler.load(toolSettingsDecider, settings)).toEqual({ state: { switches: new Map([['echo', true]]), policy: null }, revision: 0 });
  });

  it('sees what another writer appended', async () => {
    const { handler, store } = handlerUnderTest();
    await handler.load(toolSettingsDecider, settings);
    await handlerUnderTest({ store }).handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);
    expect(await handler.load(toolSettingsDecider, settings)).toMatchObject({ revision: 0 });
  });

  it('sees every event at the place where it lies, kept or read', async () => {
    const { handler, store, clock } = handlerUnderTest();
    await handler.execute(places, settings, [turn('a', true)], origin);
    clock.time = 9_000;
    const outcome = await handler.execute(places, settings, [turn('b', true), turn('c', true)], { ...origin, correlation: 'turn-1' });
    const kept = await handler.load(places, settings);

    const read = await handlerUnderTest({ store }).handler.load(places, settings);

    expect(read.state).toHaveLength(3);
    expect(read.state[2]).toMatchObject({ revision: 2, recordedAt: 9_001, occurredAt: 9_000, correlation: 'turn-1' });
    expect(kept).toEqual(read);
    expect(outcome.state).toEqual(read.state);
  });

  it('does not guess when the earlier events of one append were recorded', async () => {
    const { store: real } = handlerUnderTest();
    // A store that stamps each event of an append on its own, and tells the time of the last one.
    const store = watchedStore({
      ...real,
      append: async (stream, expected, events) => {
        const result = await real.append(stream, expected, events);
        return { ...result, recordedAt: result.recordedAt + result.revision };
      },
      readStream: async (stream, from, limit) => {
        const page = await real.readStream(stream, from, limit);
        return page.map((event) => ({ ...event, recordedAt: event.recordedAt + event.revision }));
      },
    });
    const { handler } = handlerUnderTest({ store, soleWriter: true });
    await handler.load(places, settings);
    await handler.execute(places, settings, [turn('a', true), turn('b', true)], origin);

    expect((await handler.load(places, settings)).state).toMatchObject([{ recordedAt: 5_001 }, { recordedAt: 5_002 }]);
  });

  it('does not take the fold of one decider for that of another', async () => {
    const { handler } = handlerUnderTest({ soleWriter: true });
    await handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);
    expect((await handler.load(places, settings)).state).toHaveLength(1);
    expect((await handler.load(toolSettingsDecider, settings)).state).toEqual({ switches: new Map([['echo', true]]), policy: null });
  });

  it('stops at an event that this program is too old for', async () => {
    const { handler, store } = handlerUnderTest();
    await handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);
    const [event] = await store.readStream(settings, 0, 1);
    if (event === undefined) throw new Error('nothing was recorded');
    const { stream, revision, position, recordedAt, leaf, ...content } = event;
    expect([stream, revision, position, recordedAt, leaf.length]).toEqual([settings, 0, '1', 5_001, 32]);
    await store.append(settings, 0, [{ ...content, id: '0198c0de-0000-7000-8000-ffffffffffff', version: 2 }]);

    await expect(handler.load(toolSettingsDecider, settings)).rejects.toMatchObject({ code: 'unknown_event_version', details: { position: '2' } });
  });
});

describe('a stream whose state begins anew at some events', () => {
  const afresh = { ...places, beginsAnew: ({ data }: ToolSettingsEvent) => 'tool' in data && data.tool === 'anew' };
  const written = async (...tools: readonly string[]) => {
    const { handler, store } = handlerUnderTest();
    for (const tool of tools) await handler.execute(places, settings, [turn(tool, true)], origin);
    store.reads.length = 0;
    return { store, handler: handlerUnderTest({ store, newId: countingIds('9000') }).handler };
  };
  const revisions = (state: readonly EventPlace[]) => state.map(({ revision }) => revision);

  it('is folded from the newest of them on, at the revisions that events have', async () => {
    const { handler } = await written('a', 'anew', 'b', 'anew', 'c', 'd');
    const { state, revision } = await handler.load(afresh, settings);
    expect([revisions(state), revision]).toEqual([[3, 4, 5], 5]);
    await handler.execute(afresh, settings, [turn('e', true)], origin);
    expect(revisions((await handler.load(afresh, settings)).state)).toEqual([3, 4, 5, 6]);
  });

  it('is not read from its beginning, however long it is', async () => {
    const { handler, store } = await written(...Array.from({ length: 100 }, () => 'a'), 'anew', 'b');
    expect(revisions((await handler.load(afresh, settings)).state)).toEqual([100, 101]);
    expect(store.reads.length).toBeLessThan(20);
  });

  it.each([[[]], [['a', 'b']], [['anew', 'b']]])('is folded whole where there is none of them, or the first is one: %j', async (tools) => {
    const { handler } = await written(...tools);
    expect(revisions((await handler.load(afresh, settings)).state)).toEqual(tools.map((_, index) => index));
  });
});

describe('what a handler keeps', () => {
  it('lets it read only what is newer than it has seen', async () => {
    const { handler, store } = handlerUnderTest();
    const many = Array.from({ length: 1_200 }, (_, index) => turn(`tool-${index % 10}`, index % 20 < 10));
    const [first, ...more] = many;
    if (first === undefined) throw new Error('no commands');
    await handlerUnderTest({ store }).handler.execute(places, settings, [first, ...more], origin);
    store.reads.length = 0;

    expect(await handler.load(toolSettingsDecider, settings)).toMatchObject({ revision: 1_199 });
    expect(store.reads.map(({ from }) => from)).toEqual([0, 500, 1_000]);

    await handler.load(toolSettingsDecider, settings);
    expect(store.reads.slice(3)).toEqual([{ stream: settings, from: 1_200 }]);
  });

  it('needs no look at the store when nothing else writes to it', async () => {
    const { handler, store } = handlerUnderTest({ soleWriter: true });
    await handler.load(toolSettingsDecider, settings);
    store.reads.length = 0;

    await handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);
    await handler.execute(toolSettingsDecider, settings, [turn('echo', true)], origin);
    await handler.load(toolSettingsDecider, settings);

    expect(store.reads).toEqual([]);
  });

  it('is bounded: the least recently used stream is read again', async () => {
    const { handler, store } = handlerUnderTest({ soleWriter: true, cacheSize: 2 });
    for (const stream of ['toolSettings-g1', 'toolSettings-g2', 'toolSettings-g3']) await handler.load(toolSettingsDecider, stream);
    store.reads.length = 0;

    await handler.load(toolSettingsDecider, 'toolSettings-g3');
    await handler.load(toolSettingsDecider, 'toolSettings-g1');

    expect(store.reads).toEqual([{ stream: 'toolSettings-g1', from: 0 }]);
  });

  it('is not changed by what the caller does to the command later', async () => {
    const { handler } = handlerUnderTest({ soleWriter: true });
    const reasons = ['unknown_tool'];
    await handler.execute(toolCallDecider, call, [{ ...refuse, data: { ...refuse.data, reasons } }], origin);
    reasons.push('changed_later');
    expect(await handler.load(toolCallDecider, call)).toMatchObject({ state: { reasons: ['unknown_tool'] } });
  });
});
