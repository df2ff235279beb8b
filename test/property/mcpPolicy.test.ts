import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDialable, judgeFailure } from '../../src/commands/mcpServers/breaker.js';
import { mcpServersDecider, type McpServersCommand } from '../../src/commands/mcpServers/mcpServers.js';
import { serverById } from '../../src/commands/mcpServers/mcpServersState.js';
import type { AnyEvent } from '../../src/events/catalogue/catalogue.js';
import type { McpServersEvent } from '../../src/events/catalogue/mcpServers/mcpServers.js';
import { windowsOf } from '../../src/operations/servers/replay/lifeWindows.js';
import { PolicyReplay, type BreakerPolicy } from '../../src/operations/servers/replay/policyReplay.js';
import { outOfUse } from '../../src/tools/availability/outOfUse.js';
import { remoteRoute } from '../support/projections/callEvents.js';
import { at, discovered, hour, minute, registered, serverId } from '../support/serverLife.js';

const kept = { parameters: {}, redaction: [], argumentsDigest: null, argumentsBytes: 2, channel: null, basis: { workspace: 0, settings: null, servers: 1 } };
const route = remoteRoute(serverId, 'notes');

/** What the world does to a server: it goes up and down, is called, and admins act. */
type Act = 'call' | 'goDown' | 'comeUp' | 'askToWait' | 'wantSignIn' | 'refresh' | 'disable' | 'enable' | 'replaceToken';
const act = fc.constantFrom<Act>('call', 'call', 'call', 'call', 'goDown', 'goDown', 'comeUp', 'askToWait', 'wantSignIn', 'refresh', 'disable', 'enable', 'replaceToken');
const story = fc.array(fc.record({ act, after: fc.oneof(fc.integer({ min: 1_000, max: 20 * minute }), fc.integer({ min: hour, max: 30 * hour })) }), { maxLength: 60 });
const policies: fc.Arbitrary<BreakerPolicy> = fc
  .record({ baseMs: fc.integer({ min: 1_000, max: hour }), times: fc.integer({ min: 1, max: 50 }), autoDisableAfterMs: fc.integer({ min: minute, max: 48 * hour }) })
  .map(({ baseMs, times, autoDisableAfterMs }) => ({ baseMs, longestMs: baseMs * times, autoDisableAfterMs }));

/** A workspace with one server, as the product would record it under a policy. */
class World {
  readonly record: { readonly known: AnyEvent; readonly time: number; readonly by: string }[] = [];
  now = 1_000_000;
  truth: 'comeUp' | 'goDown' | 'askToWait' | 'wantSignIn' = 'comeUp';
  #state = mcpServersDecider.initialState();

  constructor(private readonly policy: BreakerPolicy) {
    for (const known of [registered(), discovered({ search: 'a' })]) this.#happen(known, 'ada');
  }

  do(does: Act): void {
    switch (does) {
      case 'goDown':
      case 'comeUp':
      case 'askToWait':
      case 'wantSignIn':
        this.truth = does;
        break;
      case 'call':
        this.#call();
        break;
      case 'refresh':
        this.#attempt('ada');
        break;
      case 'disable':
        this.#decide({ type: 'Disable', serverId }, 'ada');
        break;
      case 'enable':
        this.#decide({ type: 'Enable', serverId }, 'ada');
        break;
      case 'replaceToken':
        this.#decide({ type: 'ReplaceCredential', serverId, credential: 'token' }, 'ada');
    }
  }

  get #server() {
    const server = serverById(this.#state, serverId);
    if (server === undefined) throw new Error('The server is gone.');
    return server;
  }

  #call(): void {
    if (!isDialable(this.#server, this.now)) {
      const reason = outOfUse(this.#server, this.#server.status === 'enabled', this.now)?.reason ?? 'server_disabled';
      this.record.push({ known: { type: 'ToolCallRefused', data: { tool: 'search', route, reasons: [reason], ...kept, conflictsWith: null } }, time: this.now, by: 'bob' });
      return;
    }
    this.#attempt('system');
    this.now += 100;
    if (this.truth === 'comeUp') this.record.push({ known: { type: 'ToolCallAdmitted', data: { tool: 'search', route, ...kept, deadline: 0 } }, time: this.now, by: 'bob' });
  }

  #attempt(by: string): void {
    if (this.truth === 'comeUp') {
      this.#decide({ type: 'RecordSuccess', serverId }, by);
      return;
    }
    const what = { goDown: 'timeout', askToWait: 'rate_limited', wantSignIn: 'needs_sign_in' }[this.truth];
    const failure = { class: what, revision: this.record.length, asked: by !== 'system', retryAfterMs: 90_000, now: this.now, baseMs: this.policy.baseMs };
    const decision = judgeFailure(this.#server, failure, this.#state, this.policy);
    if (decision.kind === 'accepted') for (const event of decision.events) this.#happen(event, by);
  }

  #decide(command: McpServersCommand, by: string): void {
    const decision = mcpServersDecider.decide(command, this.#state);
    if (decision.kind === 'accepted') for (const event of decision.events) this.#happen(event, by);
  }

  #happen(known: McpServersEvent, by: string): void {
    this.record.push({ known, time: this.now, by });
    this.#state = mcpServersDecider.evolve(this.#state, known, { ...at(this.now, by), revision: this.record.length });
  }
}

function lived(policy: BreakerPolicy, acts: readonly { readonly act: Act; readonly after: number }[]): World {
  const world = new World(policy);
  for (const { act: does, after } of acts) {
    world.now += after;
    world.do(does);
  }
  return world;
}

function replayed(world: World, policy: BreakerPolicy): PolicyReplay {
  const replay = new PolicyReplay(serverId, policy);
  for (const [revision, { known, time, by }] of world.record.entries()) replay.take(known, { ...at(time, by), revision });
  return replay;
}

describe('a replay', () => {
  it('under the policy that was in force gives exactly what is on record', () => {
    fc.assert(
      fc.property(policies, story, (policy, acts) => {
        const world = lived(policy, acts);
        const { recorded, estimated, recoveries } = replayed(world, policy);
        expect(windowsOf(estimated.life, world.now)).toEqual(windowsOf(recorded.life, world.now));
        expect(estimated.life.map(({ known }) => known)).toEqual(recorded.life.map(({ known }) => known));
        expect(estimated.turnedAway).toBe(recorded.turnedAway);
        for (const { at: recovered, noticedAt } of recoveries) expect(noticedAt).toBe(recovered);
      }),
      { numRuns: 400, seed: 1 },
    );
  });

  it('under any policy never dials before it may, and never notices a recovery before it is on record', () => {
    fc.assert(
      fc.property(policies, policies, story, (policy, other, acts) => {
        const world = lived(policy, acts);
        const { estimated, recoveries } = replayed(world, other);
        let waitUntil = 0;
        for (const { known, at: { recordedAt } } of estimated.life) {
          if (known.type === 'McpConnectionFailed' && known.data.counted) expect(recordedAt).toBeGreaterThanOrEqual(waitUntil);
          if (known.type === 'McpConnectionFailed' && known.data.counted) waitUntil = recordedAt + known.data.cooldownMs;
          if (['McpConnectionRecovered', 'McpServerEnabled', 'McpServerDisabled', 'McpServerAutoDisabled'].includes(known.type)) waitUntil = 0;
        }
        for (const { at: recovered, noticedAt } of recoveries) expect(noticedAt ?? Infinity).toBeGreaterThanOrEqual(recovered);
      }),
      { numRuns: 400, seed: 2 },
    );
  });
});
