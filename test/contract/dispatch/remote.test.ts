import { describe, expect, it } from '@jest/globals';
import type { RemoteOutcome } from '../../../src/tools/remoteTools.js';
import { openHouse } from '../../support/dispatch/house.js';
import { listingOf, offeredTool, scriptedRemote, textAnswer } from '../../support/dispatch/scriptedRemote.js';

const echo = offeredTool('echo');

async function houseWithServer(remote = scriptedRemote(listingOf(echo))) {
  const house = await openHouse({ remote });
  const serverId = await house.addServer('everything', listingOf(echo));
  house.store.appends.length = 0;
  return { house, remote, serverId };
}

describe('calls of remote tools', () => {
  it('passes content and structured data through and records route and definition', async () => {
    const answer: RemoteOutcome = { kind: 'answered', isError: false, content: [{ type: 'text', text: 'hi' }, { type: 'odd', x: 1 }], structured: { said: 'hi' } };
    const { house, serverId } = await houseWithServer(scriptedRemote(listingOf(echo), answer));
    const got = await house.call('echo', { message: 'hi' });
    expect(got).toMatchObject({ status: 'succeeded', data: { said: 'hi' }, content: [{ type: 'text', text: 'hi' }, { type: 'odd', x: 1 }] });
    expect((await house.recorded(got.callId))[0]).toMatchObject({
      data: { tool: 'echo', route: { kind: 'mcp', serverId, serverName: 'everything', remoteName: null, definition: echo.hash }, parameters: {} },
      personal: { arguments: { message: 'hi' } },
    });
  });

  it('calls an aliased tool by the name of the server', async () => {
    const dotted = offeredTool('files_read_1a2b', { remoteName: 'files.read' });
    const remote = scriptedRemote(listingOf(dotted));
    const house = await openHouse({ remote });
    await house.addServer('files', listingOf(dotted));
    const { callId } = await house.call('files_read_1a2b');
    expect(remote.sent).toEqual([{ remoteName: 'files.read', args: {} }]);
    expect((await house.recorded(callId))[0]).toMatchObject({ data: { tool: 'files_read_1a2b', route: { remoteName: 'files.read' } } });
  });

  it.each<[string, RemoteOutcome, object, object]>([
    ['an error of the tool', textAnswer('no such file', true), { status: 'failed', error: { code: 'tool_error', message: 'no such file' } }, { type: 'ToolCallFailed', data: { party: 'tool' } }],
    ['a refusal of the server', { kind: 'rejected', code: 'rpc_-32602', message: 'bad params' }, { status: 'failed', error: { code: 'rpc_32602' } }, { type: 'ToolCallFailed', data: { party: 'server' } }],
    ['a server that is gone', { kind: 'notSent', class: 'unreachable', message: 'refused' }, { status: 'failed', error: { code: 'server_unreachable' } }, { type: 'ToolCallFailed', data: { party: 'server' } }],
    ['a blocked address', { kind: 'notSent', class: 'blocked_address', message: 'link-local' }, { status: 'failed', error: { code: 'server_blocked_address' } }, { type: 'ToolCallFailed', data: { party: 'guard' } }],
    ['an abort before sending', { kind: 'notSent', class: 'cancelled', message: 'gave up' }, { status: 'cancelled' }, { type: 'ToolCallCancelled', data: { by: 'caller' } }],
    ['an inner error of the server', { kind: 'rejected', code: 'server_internal_error', message: 'boom' }, { status: 'failed', error: { code: 'server_internal_error' } }, { type: 'ToolCallFailed', data: { party: 'server', code: 'server_internal_error' } }],
    [
      'an HTTP error after the call was sent',
      { kind: 'unknown', cause: 'server_error', message: 'It answered HTTP 504.' },
      { status: 'unknown', error: { reasons: ['server_error'], message: 'What became of the call is unknown: the server failed with an HTTP error. It answered HTTP 504. The call may have taken effect; look before calling again.' } },
      { type: 'ToolCallOutcomeUnknown', data: { cause: 'server_error' }, personal: { error: 'It answered HTTP 504.' } },
    ],
    ['a lost connection', { kind: 'unknown', cause: 'connection_lost', message: 'reset' }, { status: 'unknown', error: { code: 'outcome_unknown', reasons: ['connection_lost'] } }, { type: 'ToolCallOutcomeUnknown', data: { cause: 'connection_lost' } }],
  ])('records %s as what it is', async (_what, outcome, answer, event) => {
    const { house } = await houseWithServer(scriptedRemote(listingOf(echo), outcome));
    const got = await house.call('echo');
    expect(got).toMatchObject(answer);
    expect((await house.recorded(got.callId))[1]).toMatchObject(event);
  });

  it('refuses when the server cannot be reached, and sends nothing', async () => {
    const { house, remote } = await houseWithServer();
    remote.connect = async () => ({ ok: false, class: 'unreachable', message: 'connection refused by http://127.0.0.1:3001', retryAfterMs: null });
    const answer = await house.call('echo');
    expect(answer).toMatchObject({ status: 'refused', error: { code: 'server_unreachable', message: 'connection refused by http://127.0.0.1:3001 It is left alone until 2027-01-15T08:05:00.000Z. To try now: `toolledger mcp refresh everything`.' } });
    expect(await house.life(answer.callId)).toEqual(['Refused']);
    expect(remote.sent).toEqual([]);
  });

  it('refuses when the caller gave up while connecting', async () => {
    const { house, remote } = await houseWithServer();
    const giveUp = new AbortController();
    remote.connect = async () => {
      giveUp.abort();
      return { ok: false, class: 'cancelled', message: 'gave up', retryAfterMs: null };
    };
    expect(await house.call('echo', {}, {}, giveUp.signal)).toMatchObject({ status: 'refused', error: { code: 'cancelled' } });
  });

  it.each(['Disable', 'Remove'] as const)('verifies the registration again after connecting: %s', async (type) => {
    const { house, remote, serverId } = await houseWithServer();
    const { connect } = remote;
    remote.connect = async (...given) => {
      await house.servers({ type, serverId });
      return connect(...given);
    };
    const answer = await house.call('echo');
    expect(answer).toMatchObject({ status: 'refused', error: { code: type === 'Disable' ? 'server_disabled' : 'server_removed' } });
    expect(remote.sent).toEqual([]);
  });

  it('verifies the switch again after connecting', async () => {
    const { house, remote } = await houseWithServer();
    const { connect } = remote;
    remote.connect = async (...given) => {
      await house.switchTool('echo', false);
      return connect(...given);
    };
    expect(await house.call('echo')).toMatchObject({ status: 'refused', error: { code: 'switched_off' } });
  });

  it('refuses a tool that the server does not offer any more, and records what it offers', async () => {
    const { house } = await houseWithServer(scriptedRemote(listingOf(offeredTool('other'))));
    expect(await house.call('echo')).toMatchObject({ status: 'refused', error: { code: 'tool_not_offered' } });
    expect(await house.call('other')).toMatchObject({ status: 'succeeded' });
    expect(house.store.appends[0]).toEqual(['ToolDefinitionRecorded']);
    expect(house.store.appends[1]).toEqual(['McpToolsDiscovered']);
  });

  it('goes on with a changed definition under the policy warn and records which one', async () => {
    const changed = offeredTool('echo', { description: 'Does something else now.' });
    const { house } = await houseWithServer(scriptedRemote(listingOf(changed)));
    const answer = await house.call('echo');
    expect(answer).toMatchObject({ status: 'succeeded' });
    expect((await house.recorded(answer.callId))[0]).toMatchObject({ data: { route: { definition: changed.hash } } });
  });

  it('holds a changed definition under the policy hold until it is accepted', async () => {
    const remote = scriptedRemote(listingOf(offeredTool('echo', { description: 'Does something else now.' })));
    const house = await openHouse({ remote, policy: 'hold' });
    const serverId = await house.addServer('everything', listingOf(echo));
    expect(await house.call('echo')).toMatchObject({ status: 'refused', error: { code: 'definition_held' } });
    await house.servers({ type: 'AcceptDefinitions', serverId, definitions: 'all' });
    expect(await house.call('echo')).toMatchObject({ status: 'succeeded' });
  });

  it('fails with the guard when the server is disabled between admission and sending', async () => {
    const { house, remote, serverId } = await houseWithServer();
    const admission = house.store.hold('ToolCallAdmitted');
    const answer = house.call('echo');
    await admission.reached;
    await house.servers({ type: 'Disable', serverId });
    admission.release();
    expect(await answer).toMatchObject({ status: 'failed', error: { code: 'refused_before_send' } });
    expect(remote.sent).toEqual([]);
  });

  it('cancels when the caller gave up between admission and sending', async () => {
    const { house, remote } = await houseWithServer();
    const giveUp = new AbortController();
    const admission = house.store.hold('ToolCallAdmitted');
    const answer = house.call('echo', {}, {}, giveUp.signal);
    await admission.reached;
    giveUp.abort();
    admission.release();
    expect(await answer).toMatchObject({ status: 'cancelled' });
    expect(remote.sent).toEqual([]);
  });

  it('gives the port the time limit and does not wait for a port that hangs', async () => {
    const { house, remote } = await houseWithServer();
    const limits: number[] = [];
    remote.call = (_server, _name, _args, { timeoutMs }) => {
      limits.push(timeoutMs);
      return new Promise(() => undefined);
    };
    const answer = house.call('echo');
    await house.timers.set(31_000);
    house.timers.elapse(31_000);
    expect(await answer).toMatchObject({ status: 'unknown', error: { reasons: ['timeout'] } });
    expect(limits).toEqual([30_000]);
  });

  it('does not fall over when the port throws', async () => {
    const { house, remote } = await houseWithServer();
    remote.call = async () => {
      throw new Error('bug in the client');
    };
    expect(await house.call('echo')).toMatchObject({ status: 'unknown', error: { reasons: ['protocol_error'] } });
    remote.connect = async () => {
      throw new Error('bug in the connector');
    };
    expect(await house.call('echo')).toMatchObject({ status: 'refused', error: { code: 'server_protocol_error' } });
  });
});
