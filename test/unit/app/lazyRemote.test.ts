import { afterEach, describe, expect, it } from '@jest/globals';
import { fetch as packaged } from 'undici';
import { lazyRemote } from '../../../src/app/owner/servers/lazyRemote.js';
import { defaultClientLimits } from '../../../src/mcp/client/limits.js';
import { systemResolve } from '../../../src/platform/net/guardedLookup.js';
import { never, someServer } from '../../support/mcpClientUnderTest.js';

describe('the MCP client, loaded when it is needed', () => {
  const own = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = own;
  });

  const lazy = () =>
    lazyRemote({
      lookup: async () => null,
      resolve: systemResolve,
      reach: { localOrigins: new Set(), ownPorts: new Set() },
      schedule: () => () => undefined,
      clock: { now: () => 0 },
      limits: defaultClientLimits,
      version: '0.0.0-test',
    });

  it('is there once it was needed', async () => {
    const remote = lazy();
    expect(await remote.connect(someServer, never)).toMatchObject({ ok: false, class: 'address_missing' });
    await remote.close();
  });

  it('is not made over a fetch whose answers it would not understand (case 40), and closes all the same', async () => {
    globalThis.fetch = packaged as unknown as typeof fetch;
    const remote = lazy();
    await expect(remote.connect(someServer, never)).rejects.toMatchObject({ code: 'fetch_replaced', message: expect.stringContaining('NODE_OPTIONS') });
    await remote.disconnect(someServer.serverId);
    await remote.close();
  });
});
