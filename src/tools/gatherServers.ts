import type { CommandHandler } from '../commands/commandHandler.js';
import { isDialable } from '../commands/mcpServers/breaker.js';
import { mcpServersDecider, mcpServersStream } from '../commands/mcpServers/mcpServers.js';
import { workspaceDecider, workspaceStream } from '../commands/workspace.js';
import type { Clock } from '../platform/time/clock.js';
import type { JsonObject } from '../platform/json.js';
import type { Schedule } from '../platform/time/schedule.js';
import type { ReachServers } from './reachServers.js';
import { within } from '../platform/time/within.js';

export interface GatherParts {
  readonly handler: Pick<CommandHandler, 'load'>;
  readonly reach: ReachServers;
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Takes what an attempt nobody waits for could not record. */
  readonly warn: (fields: JsonObject, message: string) => void;
}

/** How long a turn waits for servers whose tools nobody knows yet, in milliseconds. */
const firstLookMs = 2_000;

/**
 * Reaches the servers of an open workspace that may be dialled now, as a turn needs their tools. Nothing is waited for where
 * the tools are known; where they are not, at most 2 s, and attempts go on beyond that. Never throws for what a server does.
 */
export async function gatherServers({ handler, reach, clock, schedule, warn }: GatherParts, workspace: string, signal: AbortSignal): Promise<void> {
  const [opened, { state }] = await Promise.all([
    handler.load(workspaceDecider, workspaceStream(workspace)),
    handler.load(mcpServersDecider, mcpServersStream(workspace)),
  ]);
  if (opened.state.status !== 'open') return;
  const now = Math.max(clock.now(), state.lastRecordedAt);
  const firstLooks: Promise<unknown>[] = [];
  for (const server of state.servers) {
    if (!isDialable(server, now)) continue;
    const { serverId, name } = server;
    const attempt = reach.reach({ workspace, serverId, name }, signal).catch((error: unknown) => {
      warn({ serverId, error: error instanceof Error ? error.message : 'unknown' }, 'what a server showed could not be recorded');
    });
    if (server.discovery === 'unknown') firstLooks.push(attempt);
  }
  if (firstLooks.length > 0) await within(Promise.all(firstLooks), firstLookMs, schedule);
}
