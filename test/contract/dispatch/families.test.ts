import { describe, expect, it } from '@jest/globals';
import { builtInTool, openHouse, type HouseOptions } from '../../support/dispatch/house.js';
import { listingOf, offeredTool, scriptedRemote } from '../../support/dispatch/scriptedRemote.js';

const inputSchema = { type: 'object', properties: { url: { type: 'string' }, source: { type: 'string', format: 'uri' }, note: { type: 'string' } } };
const fetchUrl = offeredTool('fetch_url', { inputSchema });

/** A house with the product's own fetch, and a server that stands in for it. */
async function fetcherHouse(options: HouseOptions = {}) {
  let ranOwn = 0;
  const own = builtInTool({
    name: 'fetch_url',
    execute: () => {
      ranOwn += 1;
      return { success: true, data: null };
    },
  });
  const remote = scriptedRemote(listingOf(fetchUrl));
  const house = await openHouse({ tools: [own], remote, ...options });
  const serverId = await house.addServer('fetcher', listingOf(fetchUrl), 'url_fetcher');
  return { house, remote, serverId, ranOwn: () => ranOwn };
}

describe('a server that stands in for a built-in tool', () => {
  it('is called in its place', async () => {
    const { house, remote, ranOwn } = await fetcherHouse();
    expect(await house.call('fetch_url', { url: 'https://example.org/' })).toMatchObject({ status: 'succeeded', thirdParty: 'fetcher' });
    expect([remote.sent.length, ranOwn()]).toEqual([1, 0]);
  });

  it('is not replaced by the built-in tool while it is down', async () => {
    const { house, remote, ranOwn } = await fetcherHouse();
    remote.connect = async () => ({ ok: false, class: 'unreachable', message: 'connection refused', retryAfterMs: null });
    expect(await house.call('fetch_url', { url: 'https://example.org/' })).toMatchObject({ status: 'refused', error: { code: 'server_unreachable' } });
    expect(ranOwn()).toBe(0);
  });

  it('is not replaced by the built-in tool when it does not offer the tool, or was never discovered', async () => {
    const { house, remote, ranOwn } = await fetcherHouse();
    remote.connect = async () => ({ ok: true, listing: listingOf() });
    expect(await house.call('fetch_url', { url: 'https://example.org/' })).toMatchObject({ status: 'refused', error: { code: 'tool_not_offered' } });
    expect(await house.call('fetch_url', { url: 'https://example.org/' })).toMatchObject({ status: 'refused', error: { code: 'replaced_by_server' } });
    expect(ranOwn()).toBe(0);
  });

  it('is not called when another server that uses the name is enabled between admission and sending', async () => {
    const { house, remote, ranOwn } = await fetcherHouse();
    const second = await house.addServer('other', listingOf(fetchUrl));
    await house.servers({ type: 'Disable', serverId: second });
    const admission = house.store.hold('ToolCallAdmitted');
    const answer = house.call('fetch_url', { url: 'https://example.org/' });
    await admission.reached;
    await house.servers({ type: 'Enable', serverId: second });
    admission.release();
    expect(await answer).toMatchObject({ status: 'failed', error: { code: 'refused_before_send' } });
    expect([remote.sent, ranOwn()]).toEqual([[], 0]);
  });

  it.each([
    ['an address of this machine', { url: 'http://127.0.0.1:7411/mcp' }, 'url_address_refused'],
    ['the same in a list and an object', { note: 'x', more: [{ uris: ['https://example.org/', 'http://[::1]/'] }] }, 'url_address_refused'],
    ['the same where the schema says so', { source: 'http://169.254.169.254/latest' }, 'url_address_refused'],
    ['a name that leads inside', { url: 'https://inside.example/' }, 'url_address_refused'],
    ['a name that leads nowhere', { url: 'https://nowhere.example/' }, 'url_unresolved'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'url_scheme_refused'],
    ['more URLs than one call may bring', { urls: Array.from({ length: 21 }, (_, at) => `https://example.org/${at}`) }, 'url_too_many'],
  ])('is not sent %s', async (_, args, code) => {
    const { house, remote } = await fetcherHouse({
      resolve: async (host) => {
        if (host === 'nowhere.example') throw new Error('no such name');
        return [{ address: host === 'inside.example' ? '10.0.0.7' : '93.184.215.14', family: 4 }];
      },
    });
    const answer = await house.call('fetch_url', args);
    expect(answer).toMatchObject({ status: 'refused', error: { code } });
    expect(await house.life(answer.callId)).toEqual(['Refused']);
    expect(remote.sent).toEqual([]);
  });

  it('is not sent a URL whose name takes too long to resolve', async () => {
    const { house, remote } = await fetcherHouse({ resolve: () => new Promise(() => undefined) });
    const answer = house.call('fetch_url', { url: 'https://slow.example/' });
    await house.timers.set(5_000);
    house.timers.elapse(5_000);
    expect(await answer).toMatchObject({ status: 'refused', error: { code: 'url_unresolved' } });
    expect(remote.sent).toEqual([]);
  });

  it('is sent text that only looks like a URL', async () => {
    const { house, remote } = await fetcherHouse();
    await house.call('fetch_url', { note: 'see http://127.0.0.1/' });
    expect(remote.sent).toHaveLength(1);
  });
});

describe('other servers', () => {
  it('are sent any URL: what they do with it is theirs', async () => {
    const remote = scriptedRemote(listingOf(offeredTool('ping', { inputSchema })));
    const house = await openHouse({ remote });
    await house.addServer('generic', listingOf(offeredTool('ping', { inputSchema })));
    expect(await house.call('ping', { url: 'http://127.0.0.1/' })).toMatchObject({ status: 'succeeded' });
  });

  it('are not for models when they check the product itself', async () => {
    const lint = listingOf(offeredTool('check_slop'));
    const remote = scriptedRemote(lint);
    const house = await openHouse({ remote });
    await house.addServer('linter', lint, 'prose_linter');
    expect(await house.call('check_slop', { text: 'x' })).toMatchObject({ status: 'refused', error: { code: 'not_for_models' } });
    expect(remote.sent).toEqual([]);
  });
});
