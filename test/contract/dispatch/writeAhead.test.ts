import { describe, expect, it } from '@jest/globals';
import { builtInTool, openHouse } from '../../support/dispatch/house.js';
import { listingOf, offeredTool, scriptedRemote } from '../../support/dispatch/scriptedRemote.js';

describe('writing ahead', () => {
  it('runs a tool with effects only once its admission is durable', async () => {
    const ran: string[] = [];
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute: () => ({ success: true, data: ran.push('send') }) })] });
    const admission = house.store.hold('ToolCallAdmitted');
    const answer = house.call('send');
    await admission.reached;
    expect(ran).toEqual([]);
    admission.release();
    expect(await answer).toMatchObject({ status: 'succeeded', success: true, data: 1 });
    expect(house.store.appends).toEqual([['ToolCallAdmitted'], ['ToolCallSucceeded']]);
  });

  it('sends a remote call only once its admission is durable', async () => {
    const remote = scriptedRemote(listingOf(offeredTool('echo')));
    const house = await openHouse({ remote });
    await house.addServer('everything', listingOf(offeredTool('echo')));
    const admission = house.store.hold('ToolCallAdmitted');
    const answer = house.call('echo', { message: 'hi' });
    await admission.reached;
    expect(remote.sent).toEqual([]);
    admission.release();
    expect(await answer).toMatchObject({ status: 'succeeded' });
    expect(remote.sent).toEqual([{ remoteName: 'echo', args: { message: 'hi' } }]);
  });

  it('records admission and ending of a read-only local tool in one append and answers after it', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'look', effects: 'readOnlyLocal' })] });
    const append = house.store.hold('ToolCallAdmitted');
    let answered = false;
    const answer = house.call('look').finally(() => (answered = true));
    await append.reached;
    expect(answered).toBe(false);
    append.release();
    expect(await answer).toMatchObject({ status: 'succeeded', data: { did: 'look' } });
    expect(house.store.appends).toEqual([['ToolCallAdmitted', 'ToolCallSucceeded']]);
    expect(house.timers.waiting()).toBe(0);
  });

  it('records the admission of a read-only local tool alone when the run takes more than 50 ms', async () => {
    let done = (): void => undefined;
    const execute = () => new Promise<{ success: true; data: string }>((resolve) => (done = () => resolve({ success: true, data: 'seen' })));
    const house = await openHouse({ tools: [builtInTool({ name: 'look', effects: 'readOnlyLocal', execute })] });
    const admission = house.store.hold('ToolCallAdmitted');
    const answer = house.call('look');
    await house.timers.set(50);
    house.timers.elapse(50);
    await admission.reached;
    admission.release();
    done();
    expect(await answer).toMatchObject({ status: 'succeeded', data: 'seen' });
    expect(house.store.appends).toEqual([['ToolCallAdmitted'], ['ToolCallSucceeded']]);
  });

  it('says in the admission where the call goes, until when, and on which revisions it was judged', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send', aliases: ['post'] })] });
    await house.switchTool('send', true);
    const { callId } = await house.call('post', { text: 'hi' }, { channel: '42', turn: 'turn-1' });
    const [admitted] = await house.recorded(callId);
    expect(admitted).toMatchObject({
      type: 'ToolCallAdmitted',
      data: {
        tool: 'send',
        route: { kind: 'builtin', definition: house.registry.find('send')?.definition },
        parameters: { text: 'hi' },
        channel: '42',
        deadline: house.time.now + 300_000,
        basis: { workspace: 0, settings: 0, servers: null },
      },
    });
  });
});
