import { describe, expect, it } from '@jest/globals';
import type { ToolAnswer } from '../../../src/tools/tool.js';
import { builtInTool, caller, openHouse } from '../../support/dispatch/house.js';

/** A tool that counts its runs. */
function counting(answer: ToolAnswer = { success: true, data: { n: 1 } }) {
  const runs = { count: 0 };
  const execute = () => {
    runs.count += 1;
    return answer;
  };
  return { runs, execute };
}

describe('a call id that is used again', () => {
  it.each(['effects', 'readOnlyLocal'] as const)('answers from the record and runs a tool with %s once', async (effects) => {
    const { runs, execute } = counting();
    const house = await openHouse({ tools: [builtInTool({ name: 'send', effects, execute })] });
    const first = await house.call('send', { text: 'a' }, { callId: 'turn-1:0' });
    const again = await house.call('send', { text: 'a' }, { callId: 'turn-1:0' });
    expect(first).not.toHaveProperty('replayed');
    expect(again).toMatchObject({ callId: first.callId, status: 'succeeded', success: true, replayed: true });
    expect(again.data).toEqual(first.data);
    expect(runs.count).toBe(1);
    expect(first.callId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('answers with what was kept when the data was too large to keep whole', async () => {
    const { execute } = counting({ success: true, data: { text: 'word '.repeat(2_000) } });
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
    await house.call('send', {}, { callId: 'x' });
    expect(await house.call('send', {}, { callId: 'x' })).toMatchObject({ replayed: true, data: expect.stringMatching(/^\{"text":"word word/) });
  });

  it('does not mind the order of the keys of the arguments', async () => {
    const { runs, execute } = counting();
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
    await house.call('send', { text: 'a', more: 1 }, { callId: 'x' });
    expect(await house.call('send', { more: 1, text: 'a' }, { callId: 'x' })).toMatchObject({ replayed: true });
    expect(runs.count).toBe(1);
  });

  it('answers a recorded failure and a recorded refusal as they were', async () => {
    const { execute } = counting({ success: false, error: { code: 'no_ink', message: 'The pen is empty.' } });
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
    await house.call('send', {}, { callId: 'x' });
    expect(await house.call('send', {}, { callId: 'x' })).toMatchObject({ status: 'failed', replayed: true, error: { code: 'no_ink', message: 'The pen is empty.' } });
    await house.call('sen', {}, { callId: 'y' });
    expect(await house.call('sen', {}, { callId: 'y' })).toMatchObject({ status: 'refused', replayed: true, error: { code: 'unknown_tool', reasons: ['unknown_tool'] } });
  });

  it('runs once when the same call comes in twice at the same time', async () => {
    const { runs, execute } = counting();
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
    const [one, other] = await Promise.all([house.call('send', {}, { callId: 'x' }), house.call('send', {}, { callId: 'x' })]);
    expect([one.status, other.status].sort()).toEqual(['in_progress', 'succeeded']);
    expect(one.callId).toBe(other.callId);
    expect(runs.count).toBe(1);
  });

  it('says that the call is in progress while it runs, and replays it afterwards', async () => {
    let done = (): void => undefined;
    const execute = () => new Promise<ToolAnswer>((resolve) => (done = () => resolve({ success: true, data: 'sent' })));
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
    const first = house.call('send', {}, { callId: 'x' });
    await house.timers.set(300_000);
    expect(await house.call('send', {}, { callId: 'x' })).toMatchObject({ status: 'in_progress', success: false });
    done();
    expect(await first).toMatchObject({ status: 'succeeded' });
    expect(await house.call('send', {}, { callId: 'x' })).toMatchObject({ status: 'succeeded', data: expect.stringContaining('sent'), replayed: true });
  });

  it.each([
    ['other arguments', 'send', { text: 'b' }],
    ['another tool', 'post', { text: 'a' }],
  ])('refuses %s under the same id as a call of its own', async (_what, tool, args) => {
    const { runs, execute } = counting();
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute }), builtInTool({ name: 'post', execute })] });
    const first = await house.call('send', { text: 'a' }, { callId: 'x' });
    const other = await house.call(tool, args, { callId: 'x' });
    expect(other).toMatchObject({ status: 'refused', error: { code: 'call_id_conflict' } });
    expect(other.callId).not.toBe(first.callId);
    expect(await house.recorded(other.callId)).toMatchObject([{ type: 'ToolCallRefused', data: { tool, conflictsWith: first.callId } }]);
    expect(await house.life(first.callId)).toEqual(['Admitted', 'Succeeded']);
    expect(runs.count).toBe(1);
  });

  it('refuses other arguments also while the first call is under way', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send' })] });
    const [, other] = await Promise.all([house.call('send', { text: 'a' }, { callId: 'x' }), house.call('send', { text: 'b' }, { callId: 'x' })]);
    expect(other).toMatchObject({ status: 'refused', error: { code: 'call_id_conflict' } });
  });

  it('tells two tools that nobody knows apart, though their names are not kept', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send' })] });
    const first = await house.call('fetch_mail', {}, { callId: 'x' });
    expect(await house.call('fetch_mail', {}, { callId: 'x' })).toMatchObject({ callId: first.callId, replayed: true });
    expect(await house.call('read_mail', {}, { callId: 'x' })).toMatchObject({ status: 'refused', error: { code: 'call_id_conflict' } });
  });

  it('lets the same id of another caller or workspace be another call', async () => {
    const { runs, execute } = counting();
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
    const mine = await house.call('send', {}, { callId: 'x' });
    const theirs = await house.dispatch.call(
      { tool: 'send', arguments: {}, workspace: 'local', callId: 'x', channel: null, roles: [], turn: null },
      { ...caller, onBehalfOf: '0190a000-0000-7000-8000-00000000000b' },
      new AbortController().signal,
    );
    expect(theirs.callId).not.toBe(mine.callId);
    expect(runs.count).toBe(2);
  });

  it('says that the text is gone when the person was erased', async () => {
    const { execute } = counting({ success: false, error: { code: 'no_ink', message: 'The pen is empty.' } });
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
    const { callId } = await house.call('send', {}, { callId: 'x' });
    house.erase(caller.actor);
    const [, failed] = await house.recorded(callId);
    expect(failed).toMatchObject({ type: 'ToolCallFailed', personal: null });
  });
});
