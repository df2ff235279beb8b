import { isDialable, judgeFailure, judgeSuccess, type StreakLimits } from '../../../commands/mcpServers/breaker.js';
import type { EventPlace } from '../../../commands/decider.js';
import { mcpServersDecider } from '../../../commands/mcpServers/mcpServers.js';
import { serverById, type McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import type { AnyEvent } from '../../../events/catalogue/catalogue.js';
import type { McpServersEvent } from '../../../events/catalogue/mcpServers/mcpServers.js';
import { systemSubject } from '../../../events/envelope.js';
import { outOfUse } from '../../../tools/availability/outOfUse.js';
import { demandFor, isOfFailures } from './demand.js';
import { isOfServers, type Happened } from './happened.js';

/** How a server that fails is treated; times in milliseconds. */
export interface BreakerPolicy extends StreakLimits {
  /** First quarantine of a streak. */
  readonly baseMs: number;
}

/** A recovery on record, and when it would have been noticed under the other policy. */
export interface NoticedRecovery {
  readonly at: number;
  /** Null: not before it failed again, or not at all. */
  noticedAt: number | null;
}

/** One server as it went, or would have gone. */
class Track {
  readonly life: Happened[] = [];
  /** How often it was needed and its failures kept it from being used. */
  turnedAway = 0;
  #state = mcpServersDecider.initialState();

  constructor(private readonly serverId: string) {}

  get server(): McpServer | undefined {
    return serverById(this.#state, this.serverId);
  }

  get lastRecordedAt(): number {
    return this.#state.lastRecordedAt;
  }

  happen(known: McpServersEvent, at: EventPlace): void {
    this.life.push({ known, at });
    this.#state = mcpServersDecider.evolve(this.#state, known, at);
  }
}

/**
 * Replays what is on record of a server under another policy, beside what happened. Taken to be true of the server: it
 * is down from the first failure of a streak on record until its recovery is on record, or somebody enabled or disabled
 * it, and up otherwise. It is tried whenever it was needed and the policy lets it be dialled. What people did, and what
 * it said of itself, stays as it was.
 */
export class PolicyReplay {
  readonly recorded: Track;
  readonly estimated: Track;
  readonly recoveries: NoticedRecovery[] = [];
  #unnoticed: NoticedRecovery | null = null;

  constructor(
    private readonly serverId: string,
    private readonly policy: BreakerPolicy,
  ) {
    this.recorded = new Track(serverId);
    this.estimated = new Track(serverId);
  }

  /** Takes the next event of the ledger; those that say nothing of the server are passed by. */
  take(known: AnyEvent, at: EventPlace): void {
    if (!isOfServers(known)) this.#need(known, at);
    else if (known.data.serverId === this.serverId) this.#happened(known, at);
  }

  #happened(known: McpServersEvent, at: EventPlace): void {
    const streak = this.recorded.server?.connection.streak ?? null;
    this.recorded.happen(known, at);
    const server = this.estimated.server;
    switch (known.type) {
      case 'McpConnectionFailed':
        if (known.data.counted) {
          this.#unnoticed = null;
          this.#attempt(at, at.occurredAt);
        } else if (known.data.cooldownMs === 0 || this.#mayDial(at.recordedAt)) {
          this.estimated.happen(known, at);
        }
        return;
      case 'McpConnectionRecovered':
        if (streak !== null) this.recoveries.push((this.#unnoticed = { at: at.recordedAt, noticedAt: null }));
        if (at.actor !== systemSubject) this.#succeed(at);
        else this.#attempt(at, at.occurredAt);
        return;
      case 'McpServerAutoDisabled':
        return;
      case 'McpServerEnabled':
        if (server?.status === 'disabled') this.estimated.happen(known, at);
        return;
      case 'McpServerDisabled':
        if (server?.status === 'enabled') this.estimated.happen(known, at);
        return;
      case 'McpServerParked':
        if (server?.status === 'enabled' || at.actor !== systemSubject) this.estimated.happen(known, at);
        return;
      case 'McpServerUnparked':
        if (server?.connection.parked) this.estimated.happen(known, at);
        return;
      case 'McpServerRegistered':
      case 'McpServerRemoved':
      case 'McpCredentialReplaced':
      case 'McpCredentialDeleted':
      case 'McpSessionExpired':
      case 'McpToolsDiscovered':
      case 'McpToolDefinitionsAccepted':
      case 'McpToolSwitchSet':
      case 'McpServerAudienceSet':
        this.estimated.happen(known, at);
    }
  }

  /** An attempt on record stands for those who were let through while it was down: they led to it. */
  #need(known: AnyEvent, at: EventPlace): void {
    const { server } = this.recorded;
    const demand = server === undefined ? null : demandFor(server, known);
    if (server === undefined || demand === null || (demand === 'let_through' && this.#downAs() !== null)) return;
    if (demand === 'turned_away') this.recorded.turnedAway += 1;
    // It was judged before it was recorded, while the quarantine lasted.
    const { waitUntil } = server.connection;
    const judged = demand === 'turned_away' && waitUntil !== null ? Math.min(at.recordedAt, waitUntil - 1) : at.recordedAt;
    const recordedAt = Math.max(judged, this.estimated.lastRecordedAt);
    this.#attempt({ ...at, recordedAt }, recordedAt);
  }

  #attempt(at: EventPlace, now: number): void {
    const { server, lastRecordedAt } = this.estimated;
    if (server === undefined || !this.#mayDial(at.recordedAt)) return;
    const what = this.#downAs();
    if (what === null) {
      this.#succeed(at);
      return;
    }
    const failure = { class: what, revision: server.connection.judgedAt, asked: false, retryAfterMs: null, now, baseMs: this.policy.baseMs };
    this.#record(judgeFailure(server, failure, { lastRecordedAt }, this.policy), at);
  }

  #succeed(at: EventPlace): void {
    const { server } = this.estimated;
    if (server === undefined) return;
    // That it is no longer parked is on record by itself.
    this.#record(judgeSuccess({ ...server, connection: { ...server.connection, parked: null } }), at);
    if (server.status !== 'enabled' || this.#unnoticed === null) return;
    this.#unnoticed.noticedAt = at.recordedAt;
    this.#unnoticed = null;
  }

  #record(decision: ReturnType<typeof judgeSuccess>, at: EventPlace): void {
    if (decision.kind === 'accepted') for (const event of decision.events) this.estimated.happen(event, at);
  }

  /** Counts who is turned away. */
  #mayDial(now: number): boolean {
    const { server } = this.estimated;
    if (server === undefined || isDialable(server, now)) return server !== undefined;
    if (isOfFailures(outOfUse(server, server.status === 'enabled', now)?.reason ?? '')) this.estimated.turnedAway += 1;
    return false;
  }

  /** The class of its failures while it is taken to be down, else null. */
  #downAs(): string | null {
    const { server } = this.recorded;
    return server?.connection.streak?.class ?? server?.autoDisabled?.class ?? null;
  }
}
