import { beforeEach, describe, expect, it } from '@jest/globals';
import { mcpServersDecider, mcpServersStream } from '../../../src/commands/mcpServers/mcpServers.js';
import { workspaceDecider, workspaceStream } from '../../../src/commands/workspace.js';
import type { Views } from '../../../src/projections/views.js';
import { forgetClosedWorkspaces, startForgetting } from '../../../src/reactors/forgetClosedWorkspaces.js';
import { openHouse } from '../../support/dispatch/house.js';
import { listingOf, offeredTool } from '../../support/dispatch/scriptedRemote.js';

const days = 86_400_000;
const origin = { actor: 'ada', door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;

let house: Awaited<ReturnType<typeof openHouse>>;
let serverId: string;
let deleted: string[];
let parts: Parameters<typeof forgetClosedWorkspaces>[0];

beforeEach(async () => {
  house = await openHouse();
  serverId = await house.addServer('notes', listingOf(offeredTool('echo')));
  deleted = [];
  // As views are: they know of the workspace, and may be behind on how it stands.
  const view = { workspace: 'local', kind: 'local', state: 'open', openedAt: 0, changedAt: 0 };
  parts = {
    handler: house.handler,
    views: { query: (async () => [view]) as unknown as Views['query'] },
    secrets: { delete: async (id) => void deleted.push(id) },
    accounts: { end: async (server) => void deleted.push(`account of ${server.serverId}`), forgetClients: async (workspace) => void deleted.push(`clients of ${workspace}`) },
    clock: { now: () => house.time.now },
  };
});

const stateOf = async () => (await house.handler.load(mcpServersDecider, mcpServersStream('local'))).state.servers[0]?.credential;
const never = new AbortController().signal;
const reopen = () => house.handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Open', kind: 'local' }], origin);

describe('the credentials of a closed workspace', () => {
  it('are kept for seven days, then deleted, and that is on record', async () => {
    await house.closeWorkspace();
    house.time.now += 7 * days - 1;
    expect(await forgetClosedWorkspaces(parts, never)).toBe(0);
    expect(await stateOf()).toBe('none');
    house.time.now += 1;
    expect(await forgetClosedWorkspaces(parts, never)).toBe(1);
    expect(deleted).toEqual([`account of ${serverId}`, serverId, 'clients of local']);
    expect(await stateOf()).toBe('deleted');
    expect(await forgetClosedWorkspaces(parts, never)).toBe(0);
  });

  it('are kept when the workspace was opened again in time', async () => {
    await house.closeWorkspace();
    house.time.now += 6 * days;
    await reopen();
    house.time.now += 6 * days;
    expect(await forgetClosedWorkspaces(parts, never)).toBe(0);
    await house.closeWorkspace();
    house.time.now += 6 * days;
    expect(await forgetClosedWorkspaces(parts, never)).toBe(0);
    expect(deleted).toEqual([]);
  });

  it('leave a server that says what to do when the workspace opens again, and is never dialled', async () => {
    await house.closeWorkspace();
    house.time.now += 8 * days;
    await forgetClosedWorkspaces(parts, never);
    await reopen();
    expect(await house.call('echo')).toMatchObject({ status: 'refused', error: { code: 'server_credential_deleted', message: expect.stringContaining('add it again') } });
  });

  it('are looked at every hour; a look that fails is told and tried again', async () => {
    const warnings: string[] = [];
    let broken = true;
    const secrets = { delete: async (id: string) => (broken ? Promise.reject(new Error('vault is gone')) : void deleted.push(id)) };
    await house.closeWorkspace();
    house.time.now += 7 * days;
    const stop = startForgetting({ ...parts, secrets, schedule: house.timers.schedule, warn: (_fields, message) => warnings.push(message) });
    await house.timers.set(3_600_000);
    expect(warnings).toEqual([expect.stringContaining('tried again in an hour')]);
    broken = false;
    house.timers.elapse(3_600_000);
    await stop();
    expect(deleted.filter((what) => what === serverId)).toEqual([serverId]);
    expect(house.timers.waiting()).toBe(0);
  });
});
