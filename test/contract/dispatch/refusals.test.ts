import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { rollDice } from '../../../src/tools/builtin/rollDice.js';
import { builtInTool, caller, openHouse } from '../../support/dispatch/house.js';
import { listingOf, offeredTool } from '../../support/dispatch/scriptedRemote.js';

const neverRuns = (): never => {
  throw new Error('a refused tool ran');
};

describe('refusals', () => {
  it('names the nearest usable tool, never one that is switched off', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'roll_dice' }), builtInTool({ name: 'roll_dise' })] });
    await house.switchTool('roll_dise', false);
    const answer = await house.call('roll_dise2');
    expect(answer).toMatchObject({ status: 'refused', success: false, error: { code: 'unknown_tool', reasons: ['unknown_tool'] } });
    expect(answer.error?.message).toBe('There is no tool named "roll_dise2" here. Did you mean roll_dice? Tools that can be used: roll_dice.');
  });

  it('keeps an unknown name in the box of the caller, and nothing of its arguments', async () => {
    const house = await openHouse();
    const { callId } = await house.call('my_private_name', { diary: 'dear diary' });
    expect(await house.recorded(callId)).toMatchObject([
      { type: 'ToolCallRefused', data: { tool: null, route: null, reasons: ['unknown_tool'], parameters: {} }, personal: { toolName: 'my_private_name' } },
    ]);
    expect(JSON.stringify(await house.recorded(callId))).not.toContain('dear diary');
  });

  it('says that tools of a server were never discovered when a name is unknown', async () => {
    const house = await openHouse();
    await house.addServer('fresh', null);
    expect((await house.call('echo')).error?.message).toContain('The tools of fresh were never discovered.');
  });

  it('takes an alias for its tool and refuses it with the tool', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'remember', aliases: ['keep'], execute: neverRuns })] });
    await house.switchTool('remember', false);
    const answer = await house.call('keep');
    expect(answer).toMatchObject({ status: 'refused', error: { code: 'switched_off' } });
    expect(await house.recorded(answer.callId)).toMatchObject([{ data: { tool: 'remember', route: { kind: 'builtin' }, reasons: ['switched_off'] } }]);
  });

  it('tells every reason, not only the first', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute: neverRuns })] });
    await house.switchTool('send', false);
    await house.closeWorkspace();
    expect((await house.call('send')).error?.reasons).toEqual(['workspace_closed', 'switched_off']);
  });

  it('refuses in a workspace that was never opened', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute: neverRuns })] });
    expect(await house.call('send', {}, { workspace: 'g1' })).toMatchObject({ status: 'refused', error: { code: 'workspace_unknown' } });
  });

  it('names the parameter, what was given and what it takes', async () => {
    const tool = builtInTool({ name: 'add', parameters: z.object({ count: z.number(), mode: z.enum(['up', 'down']) }), ledger: {}, execute: neverRuns });
    const house = await openHouse({ tools: [tool] });
    const answer = await house.call('add', { count: 'three' });
    expect(answer).toMatchObject({ status: 'refused', error: { code: 'invalid_arguments' } });
    expect(answer.error?.message).toContain('count is a string; it takes number');
    expect(answer.error?.message).toContain('add takes: count, mode.');
  });

  it('leaves a message that points at a character as the tool wrote it', async () => {
    const house = await openHouse({ tools: [rollDice] });
    const { error } = await house.call('roll_dice', { notation: '4d6+' });
    expect(error?.message).toMatch(/\n4d6\+\n {4}\^\nroll_dice takes: notation\.$/);
  });

  it.each([
    ['an array', [1, 2], 'The arguments are an array'],
    ['a text', 'hello', 'The arguments are a string'],
    ['null', null, 'The arguments are null'],
    ['too much', { text: 'x'.repeat(10_000_000) }, 'at most 4194304 are allowed'],
  ])('refuses %s for arguments and keeps only its size', async (_what, given, message) => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute: neverRuns })] });
    const answer = await house.call('send', given);
    expect(answer).toMatchObject({ status: 'refused', error: { code: 'invalid_arguments' } });
    expect(answer.error?.message).toContain(message);
    const [refused] = await house.recorded(answer.callId);
    expect(refused?.data).toMatchObject({ parameters: {}, argumentsBytes: Buffer.byteLength(JSON.stringify(given)) });
  });

  it('refuses 10,000 levels of nesting without falling over', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute: neverRuns })] });
    const deep = JSON.parse(`{"text":${'['.repeat(10_000)}${']'.repeat(10_000)}}`) as never;
    expect(await house.call('send', deep)).toMatchObject({ status: 'refused', error: { code: 'invalid_arguments' } });
  });

  it('refuses a tool that was switched off right before, also a remote one', async () => {
    const house = await openHouse();
    await house.addServer('everything', listingOf(offeredTool('echo')));
    await house.switchTool('echo', false);
    expect(await house.call('echo')).toMatchObject({ status: 'refused', error: { code: 'switched_off' } });
  });

  it('records 60 refusals of a caller in a minute singly and counts the others when the minute is over', async () => {
    const house = await openHouse();
    for (let n = 0; n < 65; n += 1) await house.call('nothing');
    expect(house.store.appends).toHaveLength(60);
    house.time.now += 60_000;
    await house.call('nothing');
    const [counted] = await house.store.readStream('toolRefusals-local', 0, 10);
    expect(JSON.parse(counted?.data ?? '')).toMatchObject({ caller: caller.actor, counts: { unknown_tool: 5 }, total: 5 });
    expect(house.store.appends).toHaveLength(62);
  });

  it('records at the end what was only counted', async () => {
    const house = await openHouse();
    for (let n = 0; n < 61; n += 1) await house.call('nothing');
    await house.dispatch.drain();
    expect(house.store.appends.at(-1)).toEqual(['ToolCallRefusalsCounted']);
  });

  it.each([
    ['call id', { callId: 'with space' }, 'invalid_call_id'],
    ['workspace', { workspace: 'nowhere' }, 'invalid_workspace'],
    ['channel', { channel: 'general' }, 'invalid_channel'],
  ])('takes a malformed %s for wrong usage and records nothing', async (_what, request, code) => {
    const house = await openHouse();
    await expect(house.call('nothing', {}, request)).rejects.toMatchObject({ kind: 'usage', code });
    expect(house.store.appends).toEqual([]);
  });
});
