import { describe, expect, it } from '@jest/globals';
import { openHouse } from '../../support/dispatch/house.js';
import { listingOf, offeredTool, scriptedRemote } from '../../support/dispatch/scriptedRemote.js';

describe('case 46: a server that lists its tools again', () => {
  const [first, second] = [offeredTool('echo', { description: 'One.' }), offeredTool('echo', { description: 'Two.' })];

  /** A house under the policy hold whose server offers what `offer` says. */
  async function changingHouse() {
    let offered = first;
    const remote = scriptedRemote(listingOf(first));
    remote.connect = async () => ({ ok: true, listing: listingOf(offered) });
    const house = await openHouse({ remote, policy: 'hold' });
    const serverId = await house.addServer('everything', listingOf(first));
    return { house, serverId, offer: (tool: typeof first) => (offered = tool) };
  }

  it('does not get its tool back that an admin switched off', async () => {
    const { house, offer } = await changingHouse();
    await house.switchTool('echo', false);
    offer(second);
    for (let times = 0; times < 2; times += 1) expect(await house.call('echo')).toMatchObject({ status: 'refused', error: { code: 'switched_off' } });
  });

  it('is held for each definition by itself, and not for one that was accepted before', async () => {
    const { house, serverId, offer } = await changingHouse();
    offer(second);
    expect(await house.call('echo')).toMatchObject({ error: { code: 'definition_held' } });
    offer(first);
    await house.servers({ type: 'RecordTools', serverId, tools: [{ name: 'echo', remoteName: 'echo', definition: first.hash }], skipped: [], instructions: null });
    expect(await house.call('echo')).toMatchObject({ status: 'succeeded' });
    offer(second);
    expect(await house.call('echo')).toMatchObject({ error: { code: 'definition_held' } });
  });

  it('does not have its tool accepted under another name', async () => {
    const { house, offer } = await changingHouse();
    offer(offeredTool('echo2', { description: 'One.' }));
    await house.call('echo');
    expect(await house.call('echo2')).toMatchObject({ error: { code: 'definition_held' } });
  });
});
