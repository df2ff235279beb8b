import { describe, expect, it } from '@jest/globals';
import type { ToolAnswer } from '../../../src/tools/tool.js';
import { builtInTool, openHouse } from '../../support/dispatch/house.js';

async function runningCall() {
  let end: (answer: ToolAnswer) => void = () => undefined;
  const execute = () => new Promise<ToolAnswer>((resolve) => (end = resolve));
  const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
  const answer = house.call('send');
  await house.timers.set(300_000);
  return { house, answer, end: (given: ToolAnswer) => end(given) };
}

describe('stopping', () => {
  it('lets running calls finish and takes no new ones', async () => {
    const { house, answer, end } = await runningCall();
    expect(house.dispatch.inFlight()).toBe(1);
    const drained = house.dispatch.drain();
    expect(await house.call('send')).toMatchObject({ status: 'failed', error: { code: 'shutting_down' } });
    end({ success: true, data: 'sent' });
    await drained;
    expect(await answer).toMatchObject({ status: 'succeeded', data: 'sent' });
    expect(house.dispatch.inFlight()).toBe(0);
  });

  it('tells running calls to stop when the deadline is there, and records what is known of them', async () => {
    const { house, answer } = await runningCall();
    const deadline = new AbortController();
    const drained = house.dispatch.drain(deadline.signal);
    deadline.abort();
    await house.timers.set(1_000);
    house.timers.elapse(1_000);
    await drained;
    expect(await answer).toMatchObject({ status: 'unknown', error: { reasons: ['cancelled'] } });
  });

  it('records at the end that the outcome of a call whose ending got lost is unknown', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send' })] });
    const repair = house.store.fail('ToolCallSucceeded', { code: 'read_only', cause: 'io_error', detail: 'no such device' });
    const { callId } = await house.call('send');
    repair();
    await house.dispatch.drain();
    expect(await house.life(callId)).toEqual(['Admitted', 'OutcomeUnknown']);
  });
});
