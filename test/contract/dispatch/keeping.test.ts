import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { builtInTool, caller, openHouse } from '../../support/dispatch/house.js';
import { listingOf, offeredTool, scriptedRemote, textAnswer } from '../../support/dispatch/scriptedRemote.js';

// Put together at run time, so that no scanner takes it for a real one.
const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');

/** Everything the ledger holds of a call as text, boxes opened. */
async function kept(house: Awaited<ReturnType<typeof openHouse>>, callId: string) {
  return JSON.stringify(await house.recorded(callId));
}

describe('what the ledger keeps of a call', () => {
  it('holds no secret of a built-in tool, while the caller gets its result raw', async () => {
    const execute = () => ({ success: true as const, data: { said: `the token is ${secret}` } });
    const house = await openHouse({ tools: [builtInTool({ name: 'send', execute })] });
    const answer = await house.call('send', { text: `use ${secret}` });
    expect(answer.data).toEqual({ said: `the token is ${secret}` });
    expect(await kept(house, answer.callId)).not.toContain(secret);
    expect((await house.recorded(answer.callId))[0]?.data).toMatchObject({ redaction: [{ path: '/text', rule: expect.any(String) }] });
  });

  it('holds no secret of what a tool throws, of bad arguments or of an unknown name', async () => {
    const execute = () => {
      throw new Error(`cannot log in with ${secret}`);
    };
    const tools = [builtInTool({ name: 'send', execute }), builtInTool({ name: 'add', parameters: z.object({ text: z.enum([secret]) }) })];
    const house = await openHouse({ tools });
    for (const [tool, args] of [['send', {}], ['add', { text: `not ${secret}` }], [secret, {}]] as const) {
      const { callId } = await house.call(tool, args);
      expect(await kept(house, callId)).not.toContain(secret);
    }
  });

  it('holds no secret of a remote call, and its arguments only in the box', async () => {
    const remote = scriptedRemote(listingOf(offeredTool('echo')), textAnswer(`you said ${secret}`, true));
    const house = await openHouse({ remote });
    await house.addServer('everything', listingOf(offeredTool('echo')));
    const answer = await house.call('echo', { message: `hi ${secret}`, [secret]: 1 });
    expect(answer.content).toEqual([{ type: 'text', text: `you said ${secret}` }]);
    expect(remote.sent[0]?.args).toMatchObject({ message: `hi ${secret}` });
    expect(await kept(house, answer.callId)).not.toContain(secret);
    house.erase(caller.actor);
    expect(await kept(house, answer.callId)).not.toContain('hi ');
  });

  it('keeps only the size of arguments that would not fit, however they swell when they are written down', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send' })] });
    const text = '\0'.repeat(200_000);
    const { callId, status } = await house.call('send', { text });
    expect(status).toBe('succeeded');
    expect((await house.recorded(callId))[0]?.data).toMatchObject({
      parameters: {},
      redaction: [{ path: '', rule: 'too_large' }],
      argumentsBytes: Buffer.byteLength(JSON.stringify({ text })),
    });
  });

  it('takes keys such as __proto__ for what they are', async () => {
    const remote = scriptedRemote(listingOf(offeredTool('echo')));
    const house = await openHouse({ remote });
    await house.addServer('everything', listingOf(offeredTool('echo')));
    const args = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1},"b":"\\ud800"}') as { [key: string]: string };
    expect(await house.call('echo', args)).toMatchObject({ status: 'succeeded' });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(remote.sent[0]?.args).toBe(args);
  });
});
