import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allSubjects, judge } from '../../../src/tools/availability.js';
import type { ServerFacts, WorkspaceFacts } from '../../../src/tools/availability/facts.js';
import { anybody, makeWorld } from '../../../src/tools/availability/world.js';
import { makeToolRegistry } from '../../../src/tools/registry.js';
import { builtInTool } from '../../support/dispatch/house.js';

const names = ['send', 'post', 'fetch_url', 'web_search', 'echo', 'Send', 'sum', 'ｓｅｎｄ'];
const registry = makeToolRegistry(['send', 'fetch_url', 'web_search'].map((name) => builtInTool({ name, ...(name === 'send' ? { aliases: ['post'] } : {}) })));

const server: fc.Arbitrary<ServerFacts> = fc.record({
  serverId: fc.uuid(),
  name: fc.constantFrom('a', 'b', 'c'),
  kind: fc.constantFrom('generic', 'url_fetcher', 'web_search', 'prose_linter'),
  enabled: fc.boolean(),
  tools: fc.option(fc.uniqueArray(fc.constantFrom(...names)).map((found) => found.map((name) => ({ name, remoteName: name, definition: name })))),
  accepted: fc.subarray(names).map((accepted) => new Set(accepted)),
  outOfUse: fc.option(fc.constant({ reason: 'server_quarantined' as const, until: 1 }), { freq: 3 }),
  switchedOff: fc.subarray(names).map((off) => new Set(off)),
  audience: fc.record({ roles: fc.option(fc.constant(['1'])), channels: fc.constant(null), person: fc.constant(null) }),
});

const facts: fc.Arbitrary<WorkspaceFacts> = fc.record({
  workspace: fc.constant('local'),
  state: fc.constantFrom('open', 'open', 'open', 'unknown', 'closed', 'unverified'),
  switches: fc.option(fc.dictionary(fc.constantFrom(...names), fc.boolean()).map((switches) => new Map(Object.entries(switches))), { freq: 9 }),
  policy: fc.constant(null),
  servers: fc.option(fc.uniqueArray(server, { selector: ({ serverId }) => serverId, maxLength: 5 }), { freq: 9 }),
  basis: fc.constant({ workspace: null, settings: null, servers: null }),
});

const policy = fc.constantFrom('warn' as const, 'hold' as const);

function usable(given: WorkspaceFacts, rule: 'warn' | 'hold') {
  const world = makeWorld(given, registry, rule, anybody);
  return allSubjects(world, registry).filter((subject) => judge(subject, world).available);
}

describe('availability, whatever the facts', () => {
  it('never gives one name to two usable tools, nor the name of a built-in tool to a server that does not stand in for it', () => {
    fc.assert(
      fc.property(facts, policy, (given, rule) => {
        const found = usable(given, rule);
        expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
        for (const subject of found) {
          if (subject.kind === 'builtin' || !registry.reserves(subject.name)) continue;
          const kind = given.servers?.find(({ serverId }) => serverId === subject.serverId)?.kind;
          expect([kind, subject.name]).toEqual(kind === 'url_fetcher' ? ['url_fetcher', 'fetch_url'] : ['web_search', 'web_search']);
        }
      }),
    );
  });

  it('never takes a tool away by removing the server of another one', () => {
    fc.assert(
      fc.property(facts, policy, fc.nat(), (given, rule, which) => {
        const servers = given.servers ?? [];
        const gone = servers[which % Math.max(1, servers.length)];
        const after = usable({ ...given, servers: given.servers && servers.filter((other) => other !== gone) }, rule);
        const before = usable(given, rule).filter((subject) => subject.kind === 'builtin' || subject.serverId !== gone?.serverId);
        expect(after).toEqual(expect.arrayContaining(before));
      }),
    );
  });

  it('allows nothing while the workspace is not known to be open, and nothing remote while registrations are not known', () => {
    fc.assert(
      fc.property(facts, policy, (given, rule) => {
        if (given.state !== 'open') expect(usable(given, rule)).toEqual([]);
        expect(usable({ ...given, servers: null }, rule).every((subject) => subject.kind === 'builtin' && subject.name === 'send')).toBe(true);
      }),
    );
  });
});
