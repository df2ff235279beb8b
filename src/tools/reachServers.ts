import { setMaxListeners } from 'node:events';
import { systemOrigin, type CommandHandler, type Origin } from '../commands/commandHandler.js';
import { remedyOf } from '../commands/mcpServers/remedies.js';
import { isDialable } from '../commands/mcpServers/breaker.js';
import { mcpServersDecider, mcpServersStream } from '../commands/mcpServers/mcpServers.js';
import { serverById, type McpServer } from '../commands/mcpServers/mcpServersState.js';
import { workspaceDecider, workspaceStream, type WorkspaceState } from '../commands/workspace.js';
import type { Clock } from '../platform/time/clock.js';
import { sharedWait } from '../platform/time/sharedWait.js';
import { completeCommands } from './availability/completeCommands.js';
import type { OutOfUse } from './availability/facts.js';
import { outOfUse } from './availability/outOfUse.js';
import { outOfUseText, untilText } from './availability/outOfUseText.js';
import type { ReasonCode } from './availability/reasons.js';
import { recordListing } from './recordListing.js';
import type { ConnectOutcome, RemoteServer, RemoteTools, ToolListing } from './remoteTools.js';

/** What came of reaching a server; `not_dialled`: there is a reason to leave it alone, and nothing was sent. */
export type Reached = ConnectOutcome | { readonly ok: false; readonly class: 'not_dialled'; readonly reason: ReasonCode; readonly message: string };

/** Reaches remote servers and puts on record what that showed of them. */
export interface ReachServers {
  /**
   * Connects, unless there is a live connection, and records the outcome: a listing that changed, a failure, a
   * recovery. One attempt at a time for each server, shared by all who wait and not ended when one of them gives up. One
   * that was cut off, because the account or the token changed meanwhile, is made again, twice at most.
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

/** How often an attempt that was cut off is made again for somebody who waits. */
const mostAgain = 2;

/** Failures that are nobody's but ours, or the caller's: they say nothing of the server. */
const notTheServers: readonly string[] = ['cancelled', 'address_missing', 'account_replaced'];

const tryNow = 'To try now: `toolledger mcp refresh`.';

/** Makes the one way servers are reached. */
export function reachServers({ handler, remote, clock, cooldownMs }: ReachParts): ReachServers {
  const underWay = new Map<string, Promise<Reached>>();
  const unending = new AbortController().signal;
  // Attempts on all servers wait beside one another: many listeners are no leak here.
  setMaxListeners(0, unending);

  async function attempt(server: RemoteServer, origin: Origin, asked: boolean): Promise<Reached> {
    const [opened, { state, revision }] = await Promise.all([
      handler.load(workspaceDecider, workspaceStream(server.workspace)),
      handler.load(mcpServersDecider, mcpServersStream(server.workspace)),
    ]);
    const registered = serverById(state, server.serverId);
    const out = outToLeave(opened.state, registered, asked ? null : Math.max(clock.now(), state.lastRecordedAt));
    if (out !== null) return { ok: false, class: 'not_dialled', reason: out.reason, message: outOfUseText(out, server.workspace, server.name) };
    const outcome = await remote.connect(server, unending);
    if (outcome.ok) {
      await recordSuccess(server, outcome.listing, origin);
      return outcome;
    }
    const until = notTheServers.includes(outcome.class) ? null : await recordFailure(server, outcome, { revision: revision ?? -1, asked }, origin);
    const message = [outcome.message, remedyOf(outcome.class, registered?.credential === 'oauth'), until === null ? null : `${untilText(until)} ${tryNow}`];
    return { ...outcome, message: completeCommands(message.filter((part) => part !== null).join(' '), { workspace: server.workspace, server: server.name, tool: null }) };
  }

  async function recordSuccess({ workspace, serverId }: RemoteServer, listing: ToolListing, origin: Origin): Promise<void> {
    const stream = mcpServersStream(workspace);
    const connection = (await recordListing(handler, listing, serverId, origin))?.connection;
    // Asked at every call: most of the time there is nothing to say.
    if (connection === undefined || (connection.streak === null && connection.waitUntil === null && connection.parked === null)) return;
    await handler.execute(mcpServersDecider, stream, [{ type: 'RecordSuccess', serverId }], origin);
  }

  /** @returns until when it is left alone now; null where nothing like that is so */
  async function recordFailure(
    { workspace, serverId }: RemoteServer,
    failure: ConnectOutcome & { readonly ok: false },
    begun: { readonly revision: number; readonly asked: boolean },
    origin: Origin,
  ): Promise<number | null> {
    const { class: what, retryAfterMs } = failure;
    const command = { type: 'RecordFailure', serverId, class: what, retryAfterMs, now: clock.now(), baseMs: cooldownMs, ...begun } as const;
    const { state } = await handler.execute(mcpServersDecider, mcpServersStream(workspace), [command], origin);
    const server = serverById(state, serverId);
    if (server?.status !== 'enabled') await remote.disconnect(serverId);
    return server === undefined ? null : (outOfUse(server, server.status === 'enabled', clock.now())?.until ?? null);
  }

  function shared(server: RemoteServer, askedBy: Origin | undefined): Promise<Reached> {
    const known = underWay.get(server.serverId);
    if (known !== undefined) return known;
    const running = attempt(server, askedBy ?? systemOrigin(server.workspace), askedBy !== undefined).finally(() => underWay.delete(server.serverId));
    underWay.set(server.serverId, running);
    return running;
  }

  return {
    async reach(server, signal, askedBy) {
      for (let again = 0; ; again += 1) {
        const reached = await sharedWait(shared(server, askedBy), signal, () => ({ ok: false as const, class: 'cancelled' as const, message: 'The wait was given up.', retryAfterMs: null }));
        if (!wasCutOff(reached) || again === mostAgain) return reached;
      }
    },
    async settled(serverId) {
      if (serverId !== undefined) await Promise.allSettled([underWay.get(serverId)]);
      else while (underWay.size > 0) await Promise.allSettled(underWay.values());
    },
  };
}

function wasCutOff(reached: Reached): boolean {
  return 'cutOff' in reached;
}

/**
 * Why a server is not dialled; somebody may have been told to try before the last attempt failed.
 * @param now milliseconds since the epoch; null for an admin who wants it tried all the same
 */
function outToLeave({ status }: WorkspaceState, server: McpServer | undefined, now: number | null): OutOfUse | null {
  if (status === 'closed') return { reason: 'workspace_closed', until: null };
  if (server === undefined) return { reason: 'server_removed', until: null };
  if (now === null || isDialable(server, now)) return null;
  return outOfUse(server, server.status === 'enabled', now) ?? { reason: 'server_disabled', until: null };
}
