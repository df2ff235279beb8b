import { describe, expect, it } from '@jest/globals';
import { anybody } from '../../../src/tools/availability/world.js';
import { builtInTool, openHouse } from '../../support/dispatch/house.js';
import { listingOf, offeredTool, scriptedRemote } from '../../support/dispatch/scriptedRemote.js';

/** Names of the tools that can be used, and the reasons of the others. */
async function declared(house: Awaited<ReturnType<typeof openHouse>>) {
  const { tools } = await house.dispatch.declare('local', anybody);
  return tools.map((tool) => [tool.subject.name, tool.available ? 'usable' : tool.reasons.join()] as const);
}

describe('declaring tools', () => {
  it('tells built-in and remote tools as models see them', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send' })] });
    await house.addServer('everything', listingOf(offeredTool('echo', { description: 'Says it again.' })));
    const { tools } = await house.dispatch.declare('local', anybody);
    expect(tools.map((tool) => tool.declared)).toMatchObject([
      { name: 'send', title: 'send', description: 'Does send.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
      { name: 'echo', title: null, description: 'Says it again.', inputSchema: { type: 'object' } },
    ]);
  });

  it('agrees with what may be called', async () => {
    const one = listingOf(offeredTool('echo'), offeredTool('twice'));
    const two = listingOf(offeredTool('twice'), offeredTool('Send'));
    const remote = scriptedRemote(one);
    remote.connect = async ({ name }) => ({ ok: true, listing: name === 'one' ? one : two });
    const house = await openHouse({ tools: [builtInTool({ name: 'send' }), builtInTool({ name: 'post' })], remote });
    await house.addServer('one', one);
    await house.addServer('two', two);
    await house.switchTool('post', false);
    for (const [name, verdict] of await declared(house)) {
      const answer = await house.call(name);
      expect(answer.status === 'refused' ? answer.error?.reasons?.join() : 'usable').toBe(verdict);
    }
  });

  it('hides a name that two servers offer for both, and one that belongs to a built-in tool, however it is spelled', async () => {
    const house = await openHouse({ tools: [builtInTool({ name: 'send', aliases: ['post'] })] });
    await house.addServer('one', listingOf(offeredTool('twice'), offeredTool('SEND'), offeredTool('ｐｏｓｔ'), offeredTool('echo')));
    const two = await house.addServer('two', listingOf(offeredTool('twice')));
    expect(await declared(house)).toEqual([
      ['send', 'usable'],
      ['twice', 'name_collision'],
      ['SEND', 'reserved_name'],
      ['ｐｏｓｔ', 'reserved_name'],
      ['echo', 'usable'],
      ['twice', 'name_collision'],
    ]);
    await house.servers({ type: 'Disable', serverId: two });
    expect(await declared(house)).toContainEqual(['twice', 'usable']);
  });

  it('names servers whose tools were never discovered', async () => {
    const house = await openHouse();
    const serverId = await house.addServer('fresh', null);
    await house.addServer('empty', listingOf());
    expect((await house.dispatch.declare('local', anybody)).undiscovered).toEqual([{ serverId, serverName: 'fresh', reason: 'tools_unknown' }]);
  });

  it('does not let a definition that is missing hide the other tools', async () => {
    const house = await openHouse();
    const serverId = await house.addServer('one', null);
    const tools = [
      { name: 'lost', remoteName: 'lost', definition: 'f'.repeat(64) },
      { name: 'echo', remoteName: 'echo', definition: offeredTool('echo').hash },
    ];
    await house.addServer('two', listingOf(offeredTool('echo')));
    await house.servers({ type: 'RecordTools', serverId, tools: tools.slice(0, 1), skipped: [], instructions: null });
    expect(await declared(house)).toEqual([
      ['lost', 'definition_missing'],
      ['echo', 'usable'],
    ]);
  });
});
