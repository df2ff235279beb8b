import { setMaxListeners } from 'node:events';
import { systemOrigin, type CommandHandler, type Origin } from '../commands/commandHandler.js';
import { isDialable } from '../commands/mcpServers/breaker.js';
import { mcpServersDecider, mcpServersStream } from '../commands/mcpServers/mcpServers.js';
import { serverById, type McpServer } from '../commands/mcpServers/mcpServersState.js';
import type { Clock } from '../platform/time/clock.js';
import { sharedWait } from '../platform/time/sharedWait.js';
import { completeCommands } from './availability/completeCommands.js';
import { outOfUse } from './availability/outOfUse.js';
import { reasonText, type ReasonCode } from './availability/reasons.js';
import { recordListing } from './recordListing.js';
import type { ConnectOutcome, RemoteServer, RemoteTools, ToolListing } from './remoteTools.js';

/** What came of reaching a server; `not_dialled`: there is a reason to leave it alone, and nothing was sent. */
export type Reached = ConnectOutcome | { readonly ok: false; readonly class: 'not_dialled'; readonly reason: ReasonCode; readonly message: string };

/** Reaches remote servers and puts on record what that showed of them. */
export interface ReachServers {
  /**
   * Connects, unless there is a live connection, and records the outcome: a listing that changed, a failure, a
   * recovery. One attempt at a time for each server, shared by all who wait and not ended when one of them gives up.
   * @param askedBy the admin who wants it tried now; such a failure is not counted
   * @throws EventStoreError when the ledger cannot take the record
   */
  reach(server: RemoteServer, signal: AbortSignal, askedBy?: Origin): Promise<Reached>;
  /** Resolves when no attempt is under way, at all or at one server. Never rejects. */
  settled(serverId?: string): Promise<void>;
}

export interface ReachParts {
  readonly handler: CommandHandler;
  readonly remote: Pick<RemoteTools, 'connect' | 'disconnect'>;
  readonly clock: Clock;
  /** First quarantine of a streak of failures, in milliseconds. */
  readonly cooldownMs: number;
}

/** Failures that are nobody's but ours, or the caller's: they say nothing of the server. */
const notTheServers: readonly string[] = ['cancelled', 'address_missing', 'account_replaced'];

/** Makes the one way servers are reached. */
export function reachServers({ handler, remote, clock, cooldownMs }: ReachParts): ReachServers {
  const underWay = new Map<string, Promise<Reached>>();
  const unending = new AbortController().signal;
  // Attempts on all servers wait beside one another: many listeners are no leak here.
  setMaxListeners(0, unending);

  async function attempt(server: RemoteServer, origin: Origin, asked: boolean): Promise<Reached> {
    const { state, revision } = await handler.load(mcpServersDecider, mcpServersStream(server.workspace));
    const reason = asked ? null : reasonToLeave(serverById(state, server.serverId), Math.max(clock.now(), state.lastRecordedAt));
    if (reason !== null) return { ok: false, class: 'not_dialled', reason, message: completeCommands(reasonText(reason), { workspace: server.workspace, server: server.name, tool: null }) };
    const outcome = await remote.connect(server, unending);
    if (outcome.ok) await recordSuccess(server, outcome.listing, origin);
    else if (!notTheServers.includes(outcome.class)) await recordFailure(server, outcome, { revision: revision ?? -1, asked }, origin);
    return outcome.ok || outcome.class !== 'needs_reauthorization' ? outcome : { ...outcome, message: completeCommands(outcome.message, { workspace: server.workspace, server: server.name, tool: null }) };
  }

  async function recordSuccess({ workspace, serverId }: RemoteServer, listing: ToolListing, origin: Origin): Promise<void> {
    const stream = mcpServersStream(workspace);
    const connection = (await recordListing(handler, listing, serverId, origin))?.connection;
    // Asked at every call: most of the time there is nothing to say.
    if (connection === undefined || (connection.streak === null && connection.waitUntil === null && connection.parked === null)) return;
    await handler.execute(mcpServersDecider, stream, [{ type: 'RecordSuccess', serverId }], origin);
  }

  async function recordFailure(
    { workspace, serverId }: RemoteServer,
    failure: ConnectOutcome & { readonly ok: false },
    begun: { readonly revision: number; readonly asked: boolean },
    origin: Origin,
  ): Promise<void> {
    const { class: what, retryAfterMs } = failure;
    const command = { type: 'RecordFailure', serverId, class: what, retryAfterMs, now: clock.now(), baseMs: cooldownMs, ...begun } as const;
    const { state } = await handler.execute(mcpServersDecider, mcpServersStream(workspace), [command], origin);
    if (serverById(state, serverId)?.status !== 'enabled') await remote.disconnect(serverId);
  }

  return {
    reach(server, signal, askedBy) {
      let running = underWay.get(server.serverId);
      if (running === undefined) {
        running = attempt(server, askedBy ?? systemOrigin(server.workspace), askedBy !== undefined).finally(() => underWay.delete(server.serverId));
        underWay.set(server.serverId, running);
      }
      return sharedWait(running, signal, () => ({ ok: false, class: 'cancelled', message: 'The wait was given up.', retryAfterMs: null }));
    },
    async settled(serverId) {
      if (serverId !== undefined) await Promise.allSettled([underWay.get(serverId)]);
      else while (underWay.size > 0) await Promise.allSettled(underWay.values());
    },
  };
}

/** Somebody may have been told to try before the last attempt failed. */
function reasonToLeave(server: McpServer | undefined, now: number): ReasonCode | null {
  if (server === undefined) return 'server_removed';
  if (isDialable(server, now)) return null;
  return outOfUse(server, now)?.reason ?? 'server_disabled';
}
