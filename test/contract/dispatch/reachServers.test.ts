import { describe, expect, it } from '@jest/globals';
import type { ConnectOutcome } from '../../../src/tools/remoteTools.js';
import { openHouse } from '../../support/dispatch/house.js';
import { listingOf, offeredTool, scriptedRemote } from '../../support/dispatch/scriptedRemote.js';

const never = new AbortController().signal;
const listing = listingOf(offeredTool('echo'));
const cutOff: ConnectOutcome = { ok: false, class: 'cancelled', message: 'The connection was closed.', retryAfterMs: null, cutOff: true };
const admin = { actor: 'ada', door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;

/** A house with a server that answers attempts with these, in order; the last one again and again. */
async function houseAnswering(...answers: readonly (ConnectOutcome | (() => Promise<ConnectOutcome>))[]) {
  const remote = scriptedRemote(listing);
  const dialled = { times: 0 };
  remote.connect = async () => {
    const answer = answers[Math.min(dialled.times, answers.length - 1)] ?? cutOff;
    dialled.times += 1;
    return typeof answer === 'function' ? answer() : answer;
  };
  const house = await openHouse({ remote });
  const serverId = await house.addServer('notes', listing);
  house.store.appends.length = 0;
  return { house, dialled, server: { workspace: 'local', serverId, name: 'notes' } };
}

describe('an attempt that was cut off by a disconnect', () => {
  it('is made again for whoever waits, and nothing of it is on record', async () => {
    const { house, dialled, server } = await houseAnswering(cutOff, { ok: true, listing });
    expect(await house.reach.reach(server, never)).toMatchObject({ ok: true });
    expect([dialled.times, house.store.appends]).toEqual([2, []]);
  });

  it('is made again once for all who wait', async () => {
    const { house, dialled, server } = await houseAnswering(cutOff, { ok: true, listing });
    const reached = await Promise.all([house.reach.reach(server, never), house.reach.reach(server, never, admin), house.reach.reach(server, never)]);
    expect(reached.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(dialled.times).toBe(2);
  });

  it('is made three times at most', async () => {
    const { house, dialled, server } = await houseAnswering(cutOff);
    expect(await house.reach.reach(server, never)).toMatchObject({ ok: false, class: 'cancelled' });
    expect(dialled.times).toBe(3);
  });

  it('is not made again for somebody who gave up', async () => {
    const giveUp = new AbortController();
    const { house, dialled, server } = await houseAnswering(async () => {
      giveUp.abort();
      return cutOff;
    });
    expect(await house.reach.reach(server, giveUp.signal)).toMatchObject({ ok: false, class: 'cancelled', message: 'The wait was given up.' });
    await house.reach.settled();
    expect(dialled.times).toBe(1);
  });

  it('because the server was disabled is not made again, but for an admin who asks', async () => {
    const { house, dialled, server } = await houseAnswering(async () => {
      await house.servers({ type: 'Disable', serverId: server.serverId });
      return cutOff;
    }, { ok: true, listing });
    expect(await house.reach.reach(server, never)).toMatchObject({ ok: false, class: 'not_dialled', reason: 'server_disabled' });
    expect(dialled.times).toBe(1);
    expect(await house.reach.reach(server, never, admin)).toMatchObject({ ok: true });
  });

  it('because the server was removed is not made again, not even for an admin', async () => {
    const { house, dialled, server } = await houseAnswering(async () => {
      await house.servers({ type: 'Remove', serverId: server.serverId });
      return cutOff;
    });
    expect(await house.reach.reach(server, never, admin)).toMatchObject({ ok: false, class: 'not_dialled', reason: 'server_removed' });
    expect(dialled.times).toBe(1);
  });
});

describe('a server of a workspace that is closed', () => {
  it('is not dialled, not even for an admin who asks', async () => {
    const { house, dialled, server } = await houseAnswering({ ok: true, listing });
    await house.closeWorkspace();
    for (const askedBy of [undefined, admin]) {
      expect(await house.reach.reach(server, never, askedBy)).toMatchObject({ ok: false, class: 'not_dialled', reason: 'workspace_closed', message: 'The workspace is closed. Open it with `toolledger workspace open local`.' });
    }
    expect(dialled.times).toBe(0);
  });
});

describe('a server that is left alone from now on', () => {
  const alone = 'It is left alone until 2027-01-15T08:05:00.000Z.';

  it('says until when, and how to try before', async () => {
    const { house, server } = await houseAnswering({ ok: false, class: 'authorization_unreachable', message: 'No answer.', retryAfterMs: null });
    expect(await house.reach.reach(server, never)).toMatchObject({ ok: false, class: 'authorization_unreachable', message: `No answer. ${alone} To try now: \`toolledger mcp refresh notes\`.` });
    const message = `The server of this tool failed and is left alone for a while. It is tried again by itself, or now with \`toolledger mcp refresh notes\`. ${alone}`;
    expect(await house.reach.reach(server, never)).toMatchObject({ ok: false, class: 'not_dialled', message });
  });

  it('is not one that an admin tried', async () => {
    const { house, server } = await houseAnswering({ ok: false, class: 'unreachable', message: 'No answer.', retryAfterMs: null });
    expect(await house.reach.reach(server, never, admin)).toMatchObject({ ok: false, message: 'No answer.' });
  });
});

describe('a failure that has something to type about it', () => {
  it.each<[Extract<ConnectOutcome, { readonly ok: false }>['class'], string, string]>([
    ['unauthorized', 'The token was not accepted.', 'The token was not accepted. Set another token with `toolledger mcp set-token notes --token-prompt`.'],
    ['needs_sign_in', 'It wants one.', 'It wants one. Sign in with `toolledger mcp sign-in notes`, or give it a token with `toolledger mcp set-token notes --token-prompt`.'],
    ['needs_reauthorization', 'It is over.', 'It is over. Sign in again with `toolledger mcp sign-in notes`.'],
    ['server_error', 'It says: “Use `toolledger mcp sign-in`.”', 'It says: “Use `toolledger mcp sign-in`.”'],
  ])('names the whole command, and leaves what others say: %s', async (what, message, told) => {
    const { house, server } = await houseAnswering({ ok: false, class: what, message, retryAfterMs: null });
    expect(await house.reach.reach(server, never, admin)).toMatchObject({ ok: false, message: told });
  });
});
