import { describe, expect, it } from '@jest/globals';
import { toolCallDecider, toolCallStream } from '../../../src/commands/toolCall/toolCall.js';
import type { BuiltInTool, ToolAnswer, ToolContext } from '../../../src/tools/tool.js';
import { builtInTool, openHouse } from '../../support/dispatch/house.js';

/** A tool whose run a test ends by hand. */
function heldTool(effects: BuiltInTool['effects']) {
  const held: { end: (answer: ToolAnswer) => void; fail: (error: Error) => void; signal: AbortSignal | null } = {
    end: () => undefined,
    fail: () => undefined,
    signal: null,
  };
  const execute = (_parameters: unknown, context: ToolContext) =>
    new Promise<ToolAnswer>((resolve, reject) => {
      held.end = resolve;
      held.fail = reject;
      held.signal = context.signal;
    });
  return { held, tool: builtInTool({ name: 'send', effects, execute }) };
}

describe('endings of built-in tools', () => {
  it('records what a tool says of its own failure', async () => {
    const execute = (): ToolAnswer => ({ success: false, error: { code: 'No Ink!', message: 'The pen is empty.' }, data: { pens: 0 } });
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
    const answer = await house.call('send');
    expect(answer).toMatchObject({ status: 'failed', success: false, data: { pens: 0 }, error: { code: 'no_ink', message: 'The pen is empty.' } });
    expect((await house.recorded(answer.callId))[1]).toMatchObject({
      type: 'ToolCallFailed',
      data: { party: 'tool', code: 'no_ink' },
      personal: { error: 'The pen is empty.' },
    });
  });

  it.each(['effects', 'readOnlyLocal'] as const)('takes a throw of a tool with %s for its failure', async (effects) => {
    const execute = () => {
      throw new Error('the pen broke');
    };
    const house = await openHouse({ tools: [builtInTool({ name: 'send', effects, execute })] });
    const answer = await house.call('send');
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'tool_threw', message: 'the pen broke' } });
    expect(await house.life(answer.callId)).toEqual(['Admitted', 'Failed']);
  });

  it.each([['nothing', undefined], ['a number too big for JSON', { success: true, data: 1n }]])('does not know what became of a tool that answers %s', async (_what, broken) => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute: () => broken as never })] });
    const answer = await house.call('send');
    expect(answer).toMatchObject({ status: 'unknown', error: { code: 'outcome_unknown', reasons: ['protocol_error'] } });
    expect(await house.life(answer.callId)).toEqual(['Admitted', 'OutcomeUnknown']);
  });

  it('does not know what became of a tool with effects that ran out of time, and settles it when its answer comes late', async () => {
    const { held, tool } = heldTool('effects');
    const house = await openHouse({ tools: [tool] });
    const answer = house.call('send');
    await house.timers.set(300_000);
    house.timers.elapse(300_000);
    const { callId, ...rest } = await answer;
    expect(rest).toMatchObject({ status: 'unknown', error: { code: 'outcome_unknown', reasons: ['timeout'] } });
    expect(held.signal?.aborted).toBe(true);
    const settlement = house.store.hold('ToolCallOutcomeSettled');
    held.end({ success: true, data: 'sent after all' });
    await settlement.reached;
    settlement.release();
    await house.handler.execute(...settleTwice(callId));
    const events = await house.recorded(callId);
    expect(events.map((event) => event.type)).toEqual(['ToolCallAdmitted', 'ToolCallOutcomeUnknown', 'ToolCallOutcomeSettled']);
    expect(events[2]).toMatchObject({ data: { verdict: 'succeeded', source: 'late_answer' }, personal: { preview: expect.stringContaining('sent after all') } });
  });

  it('takes running out of time for a failure of a read-only local tool', async () => {
    const { tool } = heldTool('readOnlyLocal');
    const house = await openHouse({ tools: [tool] });
    const answer = house.call('send');
    await house.timers.set(300_000);
    house.timers.elapse(300_000);
    expect(await answer).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect((await house.recorded((await answer).callId))[1]).toMatchObject({ type: 'ToolCallFailed', data: { party: 'tool', code: 'timeout' } });
  });

  it('cancels when the caller gave up before the tool was started', async () => {
    const { held, tool } = heldTool('effects');
    const house = await openHouse({ tools: [tool] });
    const giveUp = new AbortController();
    const admission = house.store.hold('ToolCallAdmitted');
    const answer = house.call('send', {}, {}, giveUp.signal);
    await admission.reached;
    giveUp.abort();
    admission.release();
    expect(await answer).toMatchObject({ status: 'cancelled', success: false, error: { code: 'cancelled' } });
    expect(held.signal).toBeNull();
    expect((await house.recorded((await answer).callId))[1]).toMatchObject({ type: 'ToolCallCancelled', data: { by: 'caller' } });
  });

  it('cancels when a tool that was told to stop confirms it', async () => {
    const { held, tool } = heldTool('effects');
    const house = await openHouse({ tools: [tool] });
    const giveUp = new AbortController();
    const answer = house.call('send', {}, {}, giveUp.signal);
    await house.timers.set(300_000);
    held.signal?.addEventListener('abort', () => held.fail(new DOMException('stopped', 'AbortError')));
    giveUp.abort();
    expect(await answer).toMatchObject({ status: 'cancelled' });
  });

  it('believes an answer that comes although the caller gave up', async () => {
    const { held, tool } = heldTool('effects');
    const house = await openHouse({ tools: [tool] });
    const giveUp = new AbortController();
    const answer = house.call('send', {}, {}, giveUp.signal);
    await house.timers.set(300_000);
    held.signal?.addEventListener('abort', () => held.end({ success: true, data: 'done already' }));
    giveUp.abort();
    expect(await answer).toMatchObject({ status: 'succeeded', data: 'done already' });
  });

  it('does not know what became of a tool that does not react to being told to stop', async () => {
    const { tool } = heldTool('effects');
    const house = await openHouse({ tools: [tool] });
    const giveUp = new AbortController();
    const answer = house.call('send', {}, {}, giveUp.signal);
    await house.timers.set(300_000);
    giveUp.abort();
    await house.timers.set(1_000);
    house.timers.elapse(1_000);
    expect(await answer).toMatchObject({ status: 'unknown', error: { reasons: ['cancelled'] } });
  });

  it('fails with the guard when a gate closes between admission and start', async () => {
    const { held, tool } = heldTool('effects');
    const house = await openHouse({ tools: [tool] });
    const admission = house.store.hold('ToolCallAdmitted');
    const answer = house.call('send');
    await admission.reached;
    await house.switchTool('send', false);
    admission.release();
    expect(await answer).toMatchObject({ status: 'failed', error: { code: 'refused_before_send' } });
    expect(held.signal).toBeNull();
    expect((await house.recorded((await answer).callId))[1]).toMatchObject({ data: { party: 'guard', code: 'refused_before_send' } });
  });

  it('gives the caller large data cut, with a note', async () => {
    const execute = (): ToolAnswer => ({ success: true, data: 'é'.repeat(1_000_000) });
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
    const answer = await house.call('send');
    expect(answer).toMatchObject({ status: 'succeeded', truncated: true });
    expect(answer.data).toBe('é'.repeat(524_288));
  });
});

/** A second settlement waits for the first one and is then refused, so the first one is recorded when it is answered. */
function settleTwice(callId: string) {
  const origin = { actor: 'system', door: 'system', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;
  const data = { verdict: 'failed', source: 'person', result: null } as const;
  return [toolCallDecider, toolCallStream(callId), [{ type: 'Settle', data, subject: 'system', personal: {} }], origin] as const;
}
