import { describe, expect, it } from '@jest/globals';
import type { StoreFailure } from '../../../src/events/storeError.js';
import { builtInTool, openHouse } from '../../support/dispatch/house.js';

const diskFull: StoreFailure = { code: 'read_only', cause: 'disk_full', detail: 'no space left' };
const busy: StoreFailure = { code: 'overloaded', waiting: 10_000, limit: 10_000, unit: 'appends' };

describe('a ledger that does not take what dispatch writes', () => {
  it.each<[StoreFailure, string]>([
    [diskFull, 'ledger_read_only'],
    [busy, 'overloaded'],
    [{ code: 'unavailable', detail: 'closed' }, 'ledger_unavailable'],
  ])('runs nothing when the admission is refused: %o', async (failure, code) => {
    const ran: string[] = [];
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute: () => ({ success: true, data: ran.push('send') }) })] });
    house.store.fail('ToolCallAdmitted', failure);
    expect(await house.call('send')).toMatchObject({ status: 'failed', success: false, error: { code } });
    expect(ran).toEqual([]);
  });

  it('never loses a result: it is marked unrecorded, and no call is run before the ledger knows', async () => {
    const ran: string[] = [];
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute: () => ({ success: true, data: ran.push('send') }) })] });
    const repair = house.store.fail('ToolCallSucceeded', diskFull);
    const lost = await house.call('send');
    expect(lost).toMatchObject({ status: 'succeeded', success: true, data: 1, unrecorded: true });
    expect(house.warnings).toEqual(['the ending of a call could not be recorded']);

    expect(await house.call('send')).toMatchObject({ status: 'failed', error: { code: 'ledger_read_only' } });
    expect(ran).toHaveLength(1);

    repair();
    const next = await house.call('send');
    expect(next).toMatchObject({ status: 'succeeded', data: 2 });
    expect(next).not.toHaveProperty('unrecorded');
    expect((await house.recorded(lost.callId))[1]).toMatchObject({ type: 'ToolCallOutcomeUnknown', data: { cause: 'ending_not_stored' } });
  });

  it('waits with an ending while the ledger only has too much to do', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send' })] });
    const relieve = house.store.fail('ToolCallSucceeded', busy);
    const answer = house.call('send');
    await house.timers.set(200);
    relieve();
    house.timers.elapse(200);
    expect(await answer).not.toHaveProperty('unrecorded');
    expect(await house.life((await answer).callId)).toEqual(['Admitted', 'Succeeded']);
  });

  it('does not hand out the result of a read-only local tool that could not be recorded', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'look', effects: 'readOnlyLocal' })] });
    house.store.fail('ToolCallAdmitted', diskFull);
    const answer = await house.call('look');
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'ledger_read_only' } });
    expect(answer).not.toHaveProperty('data');
  });

  it('tells the reasons of a refusal that could not be recorded', async () => {
    const house = await openHouse();
    house.store.fail('ToolCallRefused', diskFull);
    expect(await house.call('nothing')).toMatchObject({ status: 'failed', error: { code: 'ledger_read_only', reasons: ['unknown_tool'] } });
  });

  it('allows nothing when the facts cannot be read', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send' })] });
    await house.store.close();
    const answer = await house.call('send', {}, { workspace: 'g1' });
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'ledger_unavailable', reasons: ['workspace_unverified', 'switches_unverified'] } });
  });
});
