import { describe, expect, it } from '@jest/globals';
import type { CallConditions } from '../../../src/projections/toolCallLog/queries.js';
import { exportedPages, exportedRecords } from '../../support/export/exported.js';
import { admit, fail, loseTrack, refuse, remoteRoute, settle, succeed } from '../../support/projections/callEvents.js';
import { TestLedger } from '../../support/projections/testLedger.js';

const ada = '00000000-0000-4000-8000-00000000ada0';
const bob = '00000000-0000-4000-8000-00000000b0b0';

/** Positions 1 to 11, one second apart. */
function history(): TestLedger {
  const ledger = new TestLedger();
  ledger.add({ type: 'WorkspaceOpened', data: { kind: 'local' } }, { stream: 'workspace-local', actor: 'system' });
  admit(ledger, 'c1', { channel: '5' }, { actor: ada, personal: { arguments: { note: 'blue whale' } } });
  admit(ledger, 'c2', { tool: 'echo', route: remoteRoute('00000000-0000-7000-8000-000000000001', 'Web') }, { actor: bob, workspace: 'g1' });
  succeed(ledger, 'c1', { actor: ada });
  // Whoever ends a call may be somebody else than its caller.
  loseTrack(ledger, 'c2', { actor: 'system', workspace: 'g1' });
  refuse(ledger, 'c3', { tool: null, reasons: ['unknown_tool'] }, { actor: 'bot', onBehalfOf: ada });
  ledger.add({ type: 'ToolSwitchSet', data: { tool: 'echo', on: false } }, { stream: 'toolSettings-g1', actor: ada, workspace: 'g1' });
  ledger.add({ type: 'ToolCallRefusalsCounted', data: { caller: ada, since: 0, counts: { unknown_tool: 3 }, total: 3 } }, { stream: 'toolRefusals-local', actor: 'system' });
  ledger.add({ type: 'SubjectHeld', data: { subject: ada } }, { stream: 'ledger-privacy', actor: bob, personal: { because: 'case 7' } });
  settle(ledger, 'c2', 'failed', { actor: bob, workspace: 'g1' });
  admit(ledger, 'c4', {}, { actor: bob });
  return ledger;
}

const at = (position: number): number => history().events[position - 1]?.recordedAt ?? 0;
const all = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11'];

describe('the events that an export holds', () => {
  it.each<[string, CallConditions, readonly string[]]>([
    ['without a filter are all, in the order of the ledger', {}, all],
    ['from a time on are those recorded then or later', { since: at(4) }, all.slice(3)],
    ['up to a time are those recorded before', { until: at(4) }, all.slice(0, 3)],
    ['between two times are those of both', { since: at(4), until: at(5) }, ['4']],
    ['before everything are none', { until: at(1) }, []],
    ['after everything are none', { since: at(11) + 1 }, []],
    ['of a workspace are calls and others', { workspace: 'g1' }, ['3', '5', '7', '10']],
    ['of a tool are those of its calls, however they ended', { tool: 'echo' }, ['3', '5', '10']],
    ['of a server are those of its calls', { server: 'web' }, ['3', '5', '10']],
    ['of a channel are those of its calls', { channel: '5' }, ['2', '4']],
    ['with an outcome are all events of a call that has it now', { outcome: 'failed' }, ['3', '5', '10']],
    ['with a reason are all events of a call that has it', { reason: 'timeout' }, ['3', '5', '10']],
    ['with a text are those of calls that hold it', { text: 'whale' }, ['2', '4']],
    ['of a person are their calls and whatever else names them', { subject: ada }, ['2', '4', '6', '7', '8', '9']],
    ['of a person as an actor are no matter whose values they hold', { subject: bob }, ['3', '5', '9', '10', '11']],
    ['of a person and a tool are calls only', { subject: ada, tool: 'roll_dice' }, ['2', '4']],
    ['of endings alone are found although their calls began before', { tool: 'echo', since: at(5) }, ['5', '10']],
    ['of a mix that nothing meets are none', { subject: ada, workspace: 'g1', tool: 'echo' }, []],
  ])('%s', async (_what, conditions, positions) => {
    expect((await exportedRecords(history(), { conditions })).map(({ position }) => position)).toEqual(positions);
  });

  it('are those up to its end, whatever was recorded later', async () => {
    expect((await exportedRecords(history(), { end: '3' })).map(({ position }) => position)).toEqual(['1', '2', '3']);
  });

  it('go on after the last one that was looked at', async () => {
    expect((await exportedRecords(history(), { after: '4', conditions: { tool: 'echo' } })).map(({ position }) => position)).toEqual(['5', '10']);
  });

  it('come in pages that say where they begin and end and how far that is', async () => {
    const ledger = new TestLedger();
    for (let number = 0; number < 1_201; number += 1) admit(ledger, `c${number}`, { tool: number === 700 ? 'rare' : 'common' });
    const pages = await exportedPages(ledger, { conditions: { tool: 'rare' } });
    expect(pages).toMatchObject([
      { records: 0, first: null, last: null, readTo: '500', done: 500, total: 1_201 },
      { records: 1, first: '701', last: '701', readTo: '1000', done: 1_000, total: 1_201 },
      { records: 0, first: null, last: null, readTo: '1201', done: 1_201, total: 1_201 },
    ]);
  });

  it('stop with the position of an event that cannot be read', async () => {
    const ledger = history();
    ledger.addRaw('ToolCallFromTheFuture', '{}', { stream: 'toolCall-c9' });
    await expect(exportedRecords(ledger)).rejects.toMatchObject({ kind: 'damaged', code: 'unknown_event_version', details: { position: '12' } });
  });

  it('include those of a call whose stream does not begin as a call does', async () => {
    const ledger = new TestLedger();
    fail(ledger, 'nobody', 'bad_input');
    expect(await exportedRecords(ledger)).toMatchObject([{ type: 'ToolCallFailed' }]);
    expect(await exportedRecords(ledger, { conditions: { tool: 'roll_dice' } })).toEqual([]);
  });
});

describe('personal values in an export', () => {
  const personalOf = async (ledger: TestLedger, open: boolean): Promise<unknown> => (await exportedRecords(ledger, { open, conditions: { channel: '5' } }))[0]?.['personal'];

  it('are sealed, unless they are to be opened', async () => {
    expect(await personalOf(history(), false)).toEqual([{ subject: ada, values: '[sealed]' }]);
    expect(await personalOf(history(), true)).toEqual([{ subject: ada, values: { arguments: { note: 'blue whale' } } }]);
  });

  it('are erased once the key of the person is gone, and the events are still found by subject', async () => {
    const ledger = history();
    ledger.erased.add(ada);
    expect(await personalOf(ledger, false)).toEqual([{ subject: ada, values: '[erased]' }]);
    expect(await personalOf(ledger, true)).toEqual([{ subject: ada, values: '[erased]' }]);
    expect((await exportedRecords(ledger, { conditions: { subject: ada } })).map(({ position }) => position)).toEqual(['2', '4', '6', '7', '8', '9']);
  });
});
