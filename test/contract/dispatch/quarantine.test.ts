import { describe, expect, it } from '@jest/globals';
import { anybody } from '../../../src/tools/availability/world.js';
import { mcpServersDecider, mcpServersStream } from '../../../src/commands/mcpServers/mcpServers.js';
import { serverById } from '../../../src/commands/mcpServers/mcpServersState.js';
import type { ConnectOutcome } from '../../../src/tools/remoteTools.js';
import { openHouse } from '../../support/dispatch/house.js';
import { listingOf, offeredTool, scriptedRemote } from '../../support/dispatch/scriptedRemote.js';

const minute = 60_000;
const hour = 60 * minute;
const echo = offeredTool('echo');
const listing = listingOf(echo);
const refused: ConnectOutcome = { ok: false, class: 'unreachable', message: 'connection refused', retryAfterMs: null };
const never = new AbortController().signal;

/** A house with one server that is down until it is said to be up; counts how often it is dialled. */
async function houseWithDeadServer() {
  const remote = scriptedRemote(listing);
  const dialled = { times: 0, answer: refused };
  remote.connect = async () => {
    dialled.times += 1;
    return dialled.answer;
  };
  const house = await openHouse({ remote });
  const serverId = await house.addServer('notes', listing);
  house.store.appends.length = 0;
  return { house, remote, dialled, serverId };
}

type House = Awaited<ReturnType<typeof openHouse>>;

async function serverOf({ handler }: House, serverId: string) {
  const server = serverById((await handler.load(mcpServersDecider, mcpServersStream('local'))).state, serverId);
  if (server === undefined) throw new Error('The server is gone.');
  return server;
}

/** One turn: what it gathers, and what it may use then. */
async function turn({ dispatch, reach }: House) {
  await dispatch.gather('local', never);
  await reach.settled();
  const { tools } = await dispatch.declare('local', anybody);
  return tools.find(({ subject }) => subject.name === 'echo')?.reasons;
}

describe('a server that stays down', () => {
  it('is quarantined 5, 10, 20, 40, 80, 160, 180 minutes, over a restart as well, and disabled after 24 hours; an admin begins anew', async () => {
    const { house, remote, dialled, serverId } = await houseWithDeadServer();
    let now = house;
    const waits: number[] = [];
    for (let failure = 1; failure <= 7; failure += 1) {
      expect(await turn(now)).toEqual(['server_quarantined']);
      expect(dialled.times).toBe(failure);
      const { connection } = await serverOf(now, serverId);
      waits.push(((connection.waitUntil ?? 0) - now.time.now) / minute);
      // Nothing is dialled before, however often it is asked for, and by whichever process.
      now.time.now = (connection.waitUntil ?? 0) - 1;
      if (failure === 4) now = await openHouse({ remote, after: now });
      expect(await turn(now)).toEqual(['server_quarantined']);
      expect(await now.call('echo')).toMatchObject({ status: 'refused', error: { code: 'server_quarantined' } });
      expect(dialled.times).toBe(failure);
      now.time.now += 1;
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 180]);

    const { connection } = await serverOf(now, serverId);
    now.time.now = (connection.streak?.since ?? 0) + 24 * hour;
    expect(await turn(now)).toEqual(['server_auto_disabled']);
    expect(await serverOf(now, serverId)).toMatchObject({ status: 'disabled', autoDisabled: { class: 'unreachable', failures: 8 } });
    now.time.now += 48 * hour;
    expect(await turn(now)).toEqual(['server_auto_disabled']);
    expect(dialled.times).toBe(8);

    await now.servers({ type: 'Enable', serverId });
    expect(await turn(now)).toEqual(['server_quarantined']);
    expect((await serverOf(now, serverId)).connection.streak?.failures).toBe(1);
    now.time.now += 5 * minute;
    dialled.answer = { ok: true, listing };
    expect(await turn(now)).toEqual([]);
    expect((await serverOf(now, serverId)).connection).toMatchObject({ streak: null, waitUntil: null });
    expect(await now.call('echo')).toMatchObject({ status: 'succeeded' });
  });

  it('says in a refusal until when it is left alone', async () => {
    const { house } = await houseWithDeadServer();
    await turn(house);
    const { error } = await house.call('echo');
    expect(error?.message).toContain(`until ${new Date(house.time.now + 5 * minute).toISOString()}`);
  });

  it('counts once, however many wait for the same attempt', async () => {
    const { house, dialled, serverId } = await houseWithDeadServer();
    const answers = await Promise.all([house.call('echo'), house.call('echo'), turn(house), house.call('echo')]);
    expect(answers.filter((answer) => answer instanceof Array || answer?.status === 'refused')).toHaveLength(4);
    expect(dialled.times).toBe(1);
    expect((await serverOf(house, serverId)).connection.streak?.failures).toBe(1);
    expect(house.store.appends.filter((types) => types.includes('McpConnectionFailed'))).toHaveLength(1);
  });

  it('counts when a connection is lost and cannot be had again, and not for what a tool answers', async () => {
    const { house, remote, dialled, serverId } = await houseWithDeadServer();
    dialled.answer = { ok: true, listing };
    remote.call = async () => ({ kind: 'answered', isError: true, content: [], structured: null });
    await house.call('echo');
    remote.call = async () => ({ kind: 'unknown', cause: 'connection_lost', message: 'reset' });
    await house.call('echo');
    expect((await serverOf(house, serverId)).connection.streak).toBeNull();
    dialled.answer = refused;
    await house.call('echo');
    expect((await serverOf(house, serverId)).connection.streak?.failures).toBe(1);
  });
});

describe('a session that expired', () => {
  it('is on record, fails the call, and counts as no failure of the server', async () => {
    const { house, remote, dialled, serverId } = await houseWithDeadServer();
    dialled.answer = { ok: true, listing };
    remote.call = async () => ({ kind: 'rejected', code: 'session_expired', message: 'HTTP 404' });
    expect(await house.call('echo')).toMatchObject({ status: 'failed', error: { code: 'session_expired' } });
    expect(house.store.appends).toContainEqual(['McpSessionExpired']);
    expect((await serverOf(house, serverId)).connection.streak).toBeNull();
  });
});

describe('what is not the server\'s fault', () => {
  it.each(['cancelled', 'address_missing'] as const)('is not recorded of it: %s', async (what) => {
    const { house, dialled } = await houseWithDeadServer();
    dialled.answer = { ...refused, class: what };
    await turn(house);
    expect(house.store.appends).toEqual([]);
  });

  it.each(['needs_sign_in', 'needs_newer_client', 'blocked_address'] as const)('parks it: %s; it is looked at once a day', async (what) => {
    const { house, dialled, serverId } = await houseWithDeadServer();
    dialled.answer = { ...refused, class: what };
    expect(await turn(house)).toEqual([`server_${what}`]);
    house.time.now += 24 * hour - 1;
    expect(await turn(house)).toEqual([`server_${what}`]);
    expect(dialled.times).toBe(1);
    house.time.now += 1;
    expect(await turn(house)).toEqual([`server_${what}`]);
    expect(dialled.times).toBe(2);
    expect((await serverOf(house, serverId)).status).toBe('enabled');
    house.time.now += 24 * hour;
    dialled.answer = { ok: true, listing };
    expect(await turn(house)).toEqual([]);
  });

  it('waits as long as a server asks to be left alone', async () => {
    const { house, dialled, serverId } = await houseWithDeadServer();
    dialled.answer = { ...refused, class: 'rate_limited', retryAfterMs: 42_000 };
    expect(await turn(house)).toEqual(['server_rate_limited']);
    house.time.now += 42_000;
    expect(await turn(house)).toEqual(['server_rate_limited']);
    expect(dialled.times).toBe(2);
    expect((await serverOf(house, serverId)).connection.streak).toBeNull();
  });
});

describe('an admin who asks for an attempt', () => {
  const asked = { actor: 'ada', door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;

  it('gets one in quarantine too; it does not count when it fails, and ends the streak when it succeeds', async () => {
    const { house, dialled, serverId } = await houseWithDeadServer();
    await turn(house);
    const before = (await serverOf(house, serverId)).connection;
    const server = { workspace: 'local', serverId, name: 'notes' };
    await house.reach.reach(server, never, asked);
    expect((await serverOf(house, serverId)).connection).toMatchObject({ streak: before.streak, waitUntil: before.waitUntil });
    dialled.answer = { ok: true, listing };
    await house.reach.reach(server, never, asked);
    expect((await serverOf(house, serverId)).connection.streak).toBeNull();
  });
});

describe('gathering for a turn', () => {
  it('dials nothing in a closed workspace', async () => {
    const { house, dialled } = await houseWithDeadServer();
    await house.closeWorkspace();
    await turn(house);
    expect(dialled.times).toBe(0);
  });

  it('does not wait for a server whose tools are known', async () => {
    const { house, remote } = await houseWithDeadServer();
    remote.connect = () => new Promise(() => undefined);
    await house.dispatch.gather('local', never);
    expect((await house.dispatch.declare('local', anybody)).tools).toMatchObject([{ subject: { name: 'echo' }, available: true }]);
  });

  it('waits at most 2 seconds for one whose tools are not, and leaves it out with a reason while the attempt goes on', async () => {
    const remote = scriptedRemote(listing);
    let answer: (outcome: ConnectOutcome) => void = () => undefined;
    remote.connect = () => new Promise((resolve) => { answer = resolve; });
    const house = await openHouse({ remote });
    const serverId = await house.addServer('slow', null);
    const gathered = house.dispatch.gather('local', never);
    await house.timers.set(2_000);
    house.timers.elapse(2_000);
    await gathered;
    expect(await house.dispatch.declare('local', anybody)).toMatchObject({ tools: [], undiscovered: [{ serverId, serverName: 'slow', reason: 'tools_unknown' }] });
    answer({ ok: true, listing });
    await house.reach.settled();
    expect((await house.dispatch.declare('local', anybody)).tools).toMatchObject([{ subject: { name: 'echo' }, available: true }]);
  });

  it('goes on at once when the first look is over', async () => {
    const house = await openHouse({ remote: scriptedRemote(listing) });
    await house.addServer('quick', null);
    await house.dispatch.gather('local', never);
    expect((await house.dispatch.declare('local', anybody)).tools).toMatchObject([{ subject: { name: 'echo' }, available: true }]);
  });
});

describe('who wants to see a server as it is from now on', () => {
  it('waits for the attempt that is under way there, and for no other', async () => {
    const remote = scriptedRemote(listing);
    const answers = new Map<string, (outcome: ConnectOutcome) => void>();
    let dialledBoth: () => void = () => undefined;
    const dialled = new Promise<void>((resolve) => (dialledBoth = resolve));
    remote.connect = ({ serverId }) => new Promise((resolve) => {
      answers.set(serverId, resolve);
      if (answers.size === 2) dialledBoth();
    });
    const house = await openHouse({ remote });
    const [one, other] = [await house.addServer('one', null), await house.addServer('other', null)];
    const gathered = house.dispatch.gather('local', never);
    await dialled;
    const seen: string[] = [];
    const waits = [one, other].map(async (serverId) => house.reach.settled(serverId).then(() => seen.push(serverId)));
    answers.get(one)?.({ ok: true, listing });
    await waits[0];
    expect(seen).toEqual([one]);
    answers.get(other)?.(refused);
    await Promise.all([...waits, gathered]);
    expect(seen).toEqual([one, other]);
  });

  it('does not wait where nothing is under way', async () => {
    const { house, serverId } = await houseWithDeadServer();
    await expect(house.reach.settled(serverId)).resolves.toBeUndefined();
  });
});
