import { describe, expect, it } from '@jest/globals';
import { cooldownOf, type ConnectionFailure } from '../../../src/commands/mcpServers/breaker.js';
import { mcpServersDecider, type McpServersCommand } from '../../../src/commands/mcpServers/mcpServers.js';
import { serverById, type McpServer, type McpServersState } from '../../../src/commands/mcpServers/mcpServersState.js';
import type { McpServersEvent } from '../../../src/events/catalogue/mcpServers/mcpServers.js';
import { placeAt } from '../../support/deciderSpec.js';

const minute = 60_000;
const hour = 60 * minute;
const baseMs = 5 * minute;
const serverId = '0198c0de-0000-7000-8000-000000000001';
const registration: McpServersEvent = {
  type: 'McpServerRegistered',
  data: { serverId, name: 'notes', kind: 'generic', scheme: 'https', host: 'mcp.example', port: 443, credential: 'token' },
};

/** A ledger of one server on a simulated clock. */
class Life {
  now = 1_000_000;
  revision = -1;
  state: McpServersState = mcpServersDecider.initialState();

  constructor() {
    this.#record(registration);
  }

  get server(): McpServer {
    const server = serverById(this.state, serverId);
    if (server === undefined) throw new Error('The server is gone.');
    return server;
  }

  after(ms: number): this {
    this.now += ms;
    return this;
  }

  /** Decides and records; gives the types of what was recorded. */
  do(command: McpServersCommand): readonly McpServersEvent[] {
    const decision = mcpServersDecider.decide(command, this.state);
    if (decision.kind === 'refused') throw new Error(decision.refusal.code);
    for (const event of decision.events) this.#record(event);
    return decision.events;
  }

  fail(more: Partial<ConnectionFailure> = {}): readonly McpServersEvent[] {
    const { now, revision } = this;
    return this.do({ type: 'RecordFailure', serverId, class: 'timeout', revision, asked: false, retryAfterMs: null, now, baseMs, ...more });
  }

  /** Minutes from now until the server may be dialled. */
  get wait(): number | null {
    const { waitUntil } = this.server.connection;
    return waitUntil === null ? null : (waitUntil - this.now) / minute;
  }

  #record(event: McpServersEvent): void {
    this.revision += 1;
    this.state = mcpServersDecider.evolve(this.state, event, { ...placeAt(this.revision), recordedAt: this.now });
  }
}

const types = (events: readonly McpServersEvent[]) => events.map(({ type }) => type);

describe('the quarantine of failure n', () => {
  it('doubles from 5 minutes to 3 hours', () =>
    expect([1, 2, 3, 4, 5, 6, 7, 8, 40].map((n) => cooldownOf(n, baseMs) / minute)).toEqual([5, 10, 20, 40, 80, 160, 180, 180, 180]));

  it.each([1, 2, 3, 7])('lasts from the time failure %d was recorded', (n) => {
    const life = new Life();
    for (let failure = 1; failure < n; failure += 1) {
      life.fail();
      life.after(cooldownOf(failure, baseMs));
    }
    life.fail();
    expect(life.wait).toBe(cooldownOf(n, baseMs) / minute);
    expect(life.server.connection.streak).toMatchObject({ failures: n, since: 1_000_000, class: 'timeout' });
  });
});

describe('attempts that overlap', () => {
  it('count once: what began before the last failure says nothing new', () => {
    const life = new Life();
    const { revision } = life;
    life.fail({ revision });
    expect(life.fail({ revision })).toEqual([]);
    expect(life.server.connection.streak?.failures).toBe(1);
  });

  it.each(['RecordSuccess', 'Disable', 'Enable'] as const)('do not count when they began before %s', (type) => {
    const life = new Life();
    life.fail();
    if (type === 'Enable') life.do({ type: 'Disable', serverId });
    const { revision } = life;
    life.do({ type, serverId });
    expect(life.fail({ revision })).toEqual([]);
  });
});

describe('a streak', () => {
  it('ends when the server is reached and lists its tools', () => {
    const life = new Life();
    life.fail();
    expect(types(life.do({ type: 'RecordSuccess', serverId }))).toEqual(['McpConnectionRecovered']);
    expect(life.server.connection).toMatchObject({ streak: null, waitUntil: null });
    expect(life.do({ type: 'RecordSuccess', serverId })).toEqual([]);
  });

  it.each(['Disable', 'Enable'] as const)('ends when an admin says %s', (type) => {
    const life = new Life();
    if (type === 'Enable') life.do({ type: 'Disable', serverId });
    else life.fail();
    life.do({ type, serverId });
    expect(life.server.connection).toMatchObject({ streak: null, waitUntil: null });
  });

  it('of 24 hours disables the server at its next failure, not before', () => {
    const life = new Life();
    life.fail();
    life.after(24 * hour - 1);
    expect(types(life.fail())).toEqual(['McpConnectionFailed']);
    life.after(1);
    expect(types(life.fail({ class: 'unauthorized' }))).toEqual(['McpConnectionFailed', 'McpServerAutoDisabled']);
    expect(life.server).toMatchObject({ status: 'disabled', autoDisabled: { class: 'unauthorized', failures: 3, failingSince: 1_000_000 } });
  });

  it('is not younger for a clock that was set back', () => {
    const life = new Life();
    life.fail();
    life.after(24 * hour);
    life.do({ type: 'SetToolSwitch', serverId, remoteName: 'x', on: false });
    expect(types(life.fail({ now: 0 }))).toEqual(['McpConnectionFailed', 'McpServerAutoDisabled']);
  });

  it('begins anew after an admin enabled the server again', () => {
    const life = new Life();
    life.fail();
    life.after(25 * hour);
    life.fail();
    life.do({ type: 'Enable', serverId });
    expect(life.server).toMatchObject({ status: 'enabled', autoDisabled: null, connection: { streak: null, waitUntil: null } });
    expect(types(life.fail())).toEqual(['McpConnectionFailed']);
    expect(life.server.connection.streak?.failures).toBe(1);
  });
});

describe('a failure that does not count', () => {
  it('is one an admin asked for: recorded, and the quarantine stays as it is', () => {
    const life = new Life();
    life.fail();
    expect(life.after(minute).fail({ asked: true })).toMatchObject([{ data: { counted: false, streak: 1, cooldownMs: 0 } }]);
    expect(life.wait).toBe(4);
    expect(life.server.connection.streak?.failures).toBe(1);
  });

  it('is one of a server that asks to wait: it waits as long as it was told, at most a day', () => {
    const life = new Life();
    life.fail({ class: 'rate_limited', retryAfterMs: 90_000 });
    expect(life.wait).toBe(1.5);
    expect(life.server.connection.streak).toBeNull();
    life.fail({ class: 'rate_limited', retryAfterMs: null });
    expect(life.wait).toBe(5);
    life.fail({ class: 'rate_limited', retryAfterMs: 1e12 });
    expect(life.wait).toBe(24 * 60);
  });

  it.each([
    ['needs_sign_in', 'oauth', true],
    ['needs_reauthorization', 'oauth', true],
    ['blocked_address', 'oauth', false],
    ['needs_sign_in', 'token', false],
  ] as const)('was %s, and then a credential of the kind %s is there: over %s', (reason, credential, over) => {
    const life = new Life();
    life.fail({ class: reason });
    expect(types(life.do({ type: 'ReplaceCredential', serverId, credential }))).toEqual(['McpCredentialReplaced', ...(over ? ['McpServerUnparked'] : [])]);
    expect(life.server.connection.parked === null).toBe(over);
  });

  it.each(['needs_sign_in', 'needs_reauthorization', 'needs_newer_client', 'blocked_address'])('is %s: the server is parked', (reason) => {
    const life = new Life();
    expect(life.fail({ class: reason })).toEqual([{ type: 'McpServerParked', data: { serverId, reason } }]);
    expect(life.server.connection).toMatchObject({ streak: null, waitUntil: null, parked: { reason, at: life.now } });
    expect(types(life.do({ type: 'RecordSuccess', serverId }))).toEqual(['McpServerUnparked']);
    expect(life.server.connection.parked).toBeNull();
  });

  it.each([
    ['needs_sign_in', 'as before it was disabled', ['McpServerEnabled', 'McpServerParked']],
    ['needs_reauthorization', 'as before it was disabled', ['McpServerEnabled', 'McpServerParked']],
    ['needs_newer_client', 'not any more', ['McpServerEnabled']],
    ['blocked_address', 'not any more', ['McpServerEnabled']],
  ])('is %s: the server that is enabled again is parked %s', (reason, _, recorded) => {
    const life = new Life();
    life.fail({ class: reason });
    life.do({ type: 'Disable', serverId });
    expect(types(life.do({ type: 'Enable', serverId }))).toEqual(recorded);
    expect(life.server.connection.parked?.reason ?? null).toBe(recorded.length === 2 ? reason : null);
  });

  it('is known of a disabled server until it is reached, or an account is there', () => {
    for (const over of [{ type: 'RecordSuccess', serverId }, { type: 'ReplaceCredential', serverId, credential: 'oauth' }] as const) {
      const life = new Life();
      life.do({ type: 'Disable', serverId });
      life.fail({ class: 'needs_sign_in', asked: true });
      life.do(over);
      expect(types(life.do({ type: 'Enable', serverId }))).toEqual(['McpServerEnabled']);
    }
  });

  it('is one of a server that was disabled meanwhile', () => {
    const life = new Life();
    life.do({ type: 'Disable', serverId });
    expect(life.fail()).toEqual([]);
  });
});
