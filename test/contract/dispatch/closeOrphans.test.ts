import { describe, expect, it } from '@jest/globals';
import { toolCallDecider, toolCallStream } from '../../../src/commands/toolCall/toolCall.js';
import { closeOrphans } from '../../../src/reactors/closeOrphans.js';
import { builtInTool, openHouse } from '../../support/dispatch/house.js';
import { commands } from '../../support/toolCalls.js';

const origin = { actor: 'system', door: 'system', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;

/** A house whose ledger has calls that were admitted and not ended, by the process `runner-1`. */
async function houseWithOpenCalls(count: number) {
  const house = await openHouse({ tools: [builtInTool({ name: 'send' })] });
  const openCalls = Array.from({ length: count }, (_, n) => ({ callId: `call${n}`, workspace: 'local' }));
  for (const { callId } of openCalls) await house.handler.execute(toolCallDecider, toolCallStream(callId), [commands.admit], origin);
  return { house, openCalls };
}

describe('calls whose process is gone', () => {
  it('end as unknown, in the name of the system', async () => {
    const { house, openCalls } = await houseWithOpenCalls(130);
    expect(await closeOrphans({ handler: house.handler, openCalls, runner: 'runner-2' })).toBe(130);
    expect((await house.recorded('call129'))[1]).toMatchObject({ type: 'ToolCallOutcomeUnknown', data: { cause: 'crash', durationMs: null } });
  });

  it('are closed once, however often the start is repeated', async () => {
    const { house, openCalls } = await houseWithOpenCalls(2);
    await closeOrphans({ handler: house.handler, openCalls, runner: 'runner-2' });
    expect(await closeOrphans({ handler: house.handler, openCalls, runner: 'runner-3' })).toBe(0);
  });

  it('are left alone when this process runs them, or when the view is behind and they have ended', async () => {
    const { house, openCalls } = await houseWithOpenCalls(1);
    expect(await closeOrphans({ handler: house.handler, openCalls, runner: 'runner-1' })).toBe(0);
    const { callId } = await house.call('send');
    expect(await closeOrphans({ handler: house.handler, openCalls: [{ callId, workspace: 'local' }], runner: 'runner-2' })).toBe(0);
    expect(await closeOrphans({ handler: house.handler, openCalls: [{ callId: 'never', workspace: 'local' }], runner: 'runner-2' })).toBe(0);
  });
});
