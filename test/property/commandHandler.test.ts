import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mcpServersDecider, type McpServersCommand } from '../../src/commands/mcpServers/mcpServers.js';
import { countingIds, handlerUnderTest, origin } from '../support/handlerUnderTest.js';

const stream = 'mcpServers-local';
const serverIds = ['0198c0de-0000-7000-8000-00000000000a', '0198c0de-0000-7000-8000-00000000000b', '0198c0de-0000-7000-8000-00000000000c'];
const address = { scheme: 'https', host: 'mcp.example', port: 443, credential: 'none', limit: 2 } as const;
const definitions = ['a', 'b'].map((digit) => digit.repeat(64));

const serverId = fc.constantFrom(...serverIds);
const tool = fc.record({ name: fc.constantFrom('one', 'two'), remoteName: fc.constant('one'), definition: fc.constantFrom(...definitions) });
const kind = fc.constantFrom('generic', 'web_search', 'none');
const command: fc.Arbitrary<McpServersCommand> = fc.oneof(
  fc.record({ serverId, name: fc.constantFrom('a', 'A', 'b b', '_'), kind }).map((wish) => ({ type: 'Register' as const, ...address, ...wish })),
  fc.record({ type: fc.constantFrom('Enable' as const, 'Disable' as const, 'Remove' as const), serverId }),
  fc.record({ type: fc.constant('RecordTools' as const), serverId, tools: fc.array(tool, { maxLength: 2 }), skipped: fc.constant([]), instructions: fc.constant(null) }),
  fc.record({ type: fc.constant('AcceptDefinitions' as const), serverId, definitions: fc.constantFrom('all' as const, definitions) }),
);
/** Commands in groups that are appended together, each given to one of two handlers. */
const history = fc.array(fc.record({ first: command, more: fc.array(command, { maxLength: 2 }), by: fc.nat(1) }), { maxLength: 25 });

describe('whatever two handlers are asked to do to one stream', () => {
  it('each keeps exactly what a reader would fold from the ledger, and the rules hold over both', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (groups) => {
        const { store, handler: one } = handlerUnderTest();
        const { handler: two } = handlerUnderTest({ store, newId: countingIds('9000') });
        for (const { first, more, by } of groups) await (by === 0 ? one : two).execute(mcpServersDecider, stream, [first, ...more], origin);

        const { handler: reader } = handlerUnderTest({ store });
        const read = await reader.load(mcpServersDecider, stream);
        expect(await one.load(mcpServersDecider, stream)).toEqual(read);
        expect(await two.load(mcpServersDecider, stream)).toEqual(read);

        const { servers } = read.state;
        expect(servers.length).toBeLessThanOrEqual(address.limit);
        expect(new Set(servers.map(({ name }) => name.toLowerCase())).size).toBe(servers.length);
        expect(servers.filter(({ kind: family, status }) => family === 'web_search' && status === 'enabled').length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('one that writes alone keeps it without looking at the ledger', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (groups) => {
        const { store, handler } = handlerUnderTest({ soleWriter: true });
        for (const { first, more } of groups) {
          const outcome = await handler.execute(mcpServersDecider, stream, [first, ...more], origin);
          expect(await handler.load(mcpServersDecider, stream)).toEqual({ state: outcome.state, revision: outcome.revision });
        }
        const { handler: reader } = handlerUnderTest({ store });
        expect(await handler.load(mcpServersDecider, stream)).toEqual(await reader.load(mcpServersDecider, stream));
      }),
    );
  });
});
