import type { Schedule } from '../../platform/time/schedule.js';
import type { Resolve } from '../../platform/net/guardedLookup.js';
import type { ConnectOutcome, RemoteServer, RemoteTools, ToolListing } from '../../tools/remoteTools.js';
import type { Clock } from '../../platform/time/clock.js';
import { sharedWait } from '../../platform/time/sharedWait.js';
import type { ServerTarget } from './connecting/account.js';
import { attempt, connectFailure } from './connecting/attempt.js';
import { callTool } from './callTool.js';
import type { ClientLimits } from './limits.js';
import { openEither } from './connecting/eitherTransport.js';
import { redirectHint } from './failures/redirectHint.js';
import { relist, type ServerLink } from './connecting/serverLink.js';
import { reachOf, type LocalReach } from './serverUrl.js';
import type { TransportKind } from './connecting/transport/wire.js';
import { withinTime } from './connecting/withinTime.js';

export interface RemoteToolsOptions {
  /** Reads the vault; null when nothing is stored for the server. What it throws reaches whoever connects. */
  readonly lookup: (server: RemoteServer) => Promise<ServerTarget | null>;
  readonly resolve: Resolve;
  readonly reach: LocalReach;
  readonly schedule: Schedule;
  readonly clock: Clock;
  readonly limits: ClientLimits;
  /** Our own version, told to servers. */
  readonly version: string;
}

/** The tools of remote servers over pooled connections. */
export interface McpClient extends RemoteTools {
  /** Connects once to a server that is not registered, lists its tools, and closes. */
  probe(target: ServerTarget & { readonly workspace: string }, signal: AbortSignal): Promise<ConnectOutcome>;
  /** Ends everything under way and closes every connection; nothing can be connected afterwards. */
  close(): Promise<void>;
}

/** What is known of one server: at most one connection and one attempt at a time. */
interface Entry {
  link: ServerLink | null;
  attempt: Promise<ConnectOutcome> | null;
  /** What worked last, to be tried first. */
  transport: TransportKind;
  readonly abort: AbortController;
  calls: number;
  cancelIdle: () => void;
}

/** Makes the MCP client. Connections are opened when they are needed and closed when nobody uses them. */
export function makeRemoteTools(options: RemoteToolsOptions): McpClient {
  const { limits } = options;
  const entries = new Map<string, Entry>();
  const probes = new Map<AbortController, Promise<ConnectOutcome>>();
  /** Connections that are let go of while calls on them are under way. */
  const retiring = new Set<ServerLink>();
  let closed = false;

  function entryOf(serverId: string): Entry {
    const known = entries.get(serverId);
    if (known !== undefined) return known;
    const entry: Entry = { link: null, attempt: null, transport: 'streamable_http', abort: new AbortController(), calls: 0, cancelIdle: () => undefined };
    entries.set(serverId, entry);
    return entry;
  }

  function touch(entry: Entry): void {
    entry.cancelIdle();
    entry.cancelIdle = options.schedule(limits.idleMs, () => {
      if (entry.calls === 0) drop(entry, entry.link);
    });
  }

  /** Lets go of a connection, unless the entry already has another one; calls under way may end. */
  function drop(entry: Entry, link: ServerLink | null): void {
    if (link === null) return;
    if (entry.link === link) entry.link = null;
    retiring.add(link);
    void link.connection.retire().finally(() => retiring.delete(link));
  }

  async function reach(server: RemoteServer, entry: Entry): Promise<ConnectOutcome> {
    const target = await options.lookup(server);
    if (target === null) return connectFailure('address_missing', `The address of ${server.name} is not in the keys. Put back the keys that hold it with \`toolledger keys restore FILE\`, or remove the server and add it again.`);
    const { signal } = entry.abort;
    const outcome = await attempt(target, async () => {
      if (entry.link !== null) await refresh(entry, entry.link, signal);
      if (entry.link !== null) return entry.link.listing;
      const first = entry.transport;
      entry.transport = 'streamable_http';
      const link = await open(target, server.workspace, first, signal);
      entry.transport = link.transport;
      if (signal.aborted) await link.connection.close();
      else entry.link = link;
      return link.listing;
    });
    // What was found with something that has changed meanwhile is old news.
    return signal.aborted && !closed ? { ...connectFailure('cancelled', `The connection to ${server.name} was closed while it was being made. Try again in a moment.`), cutOff: true } : outcome;
  }

  /** Lists again on a live connection; one that fails, or is used up, is let go of, and a fresh one is tried. */
  async function refresh(entry: Entry, link: ServerLink, signal: AbortSignal): Promise<void> {
    if (!link.connection.fresh()) {
      drop(entry, link);
      return;
    }
    try {
      await withinTime(limits.connectMs, signal, (within) => relist(link, options, within));
    } catch {
      drop(entry, link);
    }
  }

  function open(target: ServerTarget, workspace: string, first: TransportKind, signal: AbortSignal): Promise<ServerLink> {
    return openEither({ ...options, target, reach: reachOf(workspace, options.reach) }, first, signal);
  }

  return {
    async connect(server, signal) {
      if (closed || signal.aborted) return connectFailure('cancelled', 'The wait was given up.');
      const entry = entryOf(server.serverId);
      touch(entry);
      if (entry.link !== null && !entry.link.relisting.due && entry.link.connection.fresh()) return { ok: true, listing: entry.link.listing };
      entry.attempt ??= reach(server, entry).finally(() => {
        entry.attempt = null;
      });
      return sharedWait(entry.attempt, signal, () => connectFailure('cancelled', 'The wait was given up.'));
    },

    async call(server, remoteName, args, callOptions) {
      const entry = entries.get(server.serverId);
      const link = entry?.link;
      if (entry === undefined || link === undefined || link === null) {
        return { kind: 'notSent', class: 'unreachable', message: `The connection to ${server.name} was closed before the call. Nothing was sent; try again.` };
      }
      touch(entry);
      entry.calls += 1;
      const { outcome, healthy } = await callTool(link, remoteName, args, callOptions);
      entry.calls -= 1;
      if (!healthy) drop(entry, link);
      if (entries.get(server.serverId) === entry) touch(entry);
      return outcome;
    },

    async disconnect(serverId) {
      const entry = entries.get(serverId);
      if (entry === undefined) return;
      entries.delete(serverId);
      entry.cancelIdle();
      entry.abort.abort();
      drop(entry, entry.link);
    },

    async probe({ workspace, ...target }, signal) {
      if (closed) return connectFailure('cancelled', 'The program is stopping.');
      const abort = new AbortController();
      const onAbort = () => abort.abort();
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) abort.abort();
      const work = async (): Promise<ToolListing> => {
        const link = await open(target, workspace, 'streamable_http', abort.signal);
        await link.connection.close();
        return link.listing;
      };
      const probing = attempt(target, work, (error) => redirectHint(error, target.url, target.token));
      probes.set(abort, probing);
      try {
        return await probing;
      } finally {
        signal.removeEventListener('abort', onAbort);
        probes.delete(abort);
      }
    },

    async close() {
      closed = true;
      for (const probe of probes.keys()) probe.abort();
      const all = [...entries.values()];
      entries.clear();
      await Promise.all(
        all.map(async (entry) => {
          entry.cancelIdle();
          entry.abort.abort();
          await entry.attempt?.catch(() => undefined);
          await entry.link?.connection.close();
        }),
      );
      await Promise.all([...probes.values(), ...[...retiring].map((link) => link.connection.close())]);
    },
  };
}
