import { systemOrigin, type CommandHandler } from '../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../commands/mcpServers/mcpServers.js';
import { workspaceDecider, workspaceStream } from '../commands/workspace.js';
import type { Clock } from '../platform/time/clock.js';
import type { JsonObject } from '../platform/json.js';
import type { Schedule } from '../platform/time/schedule.js';
import type { Views } from '../projections/views.js';

/** How long the credentials of a closed workspace are kept, in milliseconds: it may have been closed by mistake. */
const keptMs = 7 * 86_400_000;
/** How often is looked for workspaces whose time is up, in milliseconds. */
const lookEveryMs = 3_600_000;

export interface ForgettingParts {
  readonly handler: CommandHandler;
  readonly views: Pick<Views, 'query'>;
  /** The vault's part of what is known of servers. */
  readonly secrets: { delete(serverId: string): Promise<void> };
  /** What was signed in to for them. */
  readonly accounts: {
    /** @throws the signal's reason; it is as it was then */
    end(server: { readonly workspace: string; readonly serverId: string }, signal: AbortSignal): Promise<unknown>;
    forgetClients(workspace: string): Promise<void>;
  };
  readonly clock: Clock;
}

/**
 * Ends the accounts and deletes addresses and credentials of servers whose workspace has been closed for 7 days, and says so on record. The
 * deletion comes first: should the process die in between, it is recorded at the next look.
 * @param signal gives it up between two servers, or while somebody is told
 * @returns how many servers were forgotten
 */
export async function forgetClosedWorkspaces({ handler, views, secrets, accounts, clock }: ForgettingParts, signal: AbortSignal): Promise<number> {
  let forgotten = 0;
  for (const { workspace } of await views.query('workspaces', {})) {
    // The view only says where to look.
    const { state } = await handler.load(workspaceDecider, workspaceStream(workspace));
    if (state.status !== 'closed' || clock.now() - state.since < keptMs) continue;
    const stream = mcpServersStream(workspace);
    const origin = systemOrigin(workspace);
    for (const { serverId, credential } of (await handler.load(mcpServersDecider, stream)).state.servers) {
      if (credential === 'deleted') continue;
      await accounts.end({ workspace, serverId }, signal);
      await secrets.delete(serverId);
      await handler.execute(mcpServersDecider, stream, [{ type: 'ReplaceCredential', serverId, credential: 'deleted' }], origin);
      forgotten += 1;
    }
    await accounts.forgetClients(workspace);
  }
  return forgotten;
}

/**
 * Looks for such workspaces now and every hour.
 * @returns stops it, and resolves when a look under way is over
 */
export function startForgetting(parts: ForgettingParts & { readonly schedule: Schedule; readonly warn: (fields: JsonObject, message: string) => void }): () => Promise<void> {
  let cancel = (): void => undefined;
  const stop = new AbortController();
  let looking = look();

  async function look(): Promise<void> {
    try {
      await forgetClosedWorkspaces(parts, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) return;
      parts.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'credentials of closed workspaces could not be deleted; it is tried again in an hour');
    }
    cancel = parts.schedule(lookEveryMs, () => {
      looking = look();
    });
  }

  return async () => {
    stop.abort();
    await looking;
    cancel();
  };
}
