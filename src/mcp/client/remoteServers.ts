import type { Schedule } from '../../platform/schedule.js';
import type { Resolve } from '../../platform/net/guardedLookup.js';
import type { ConnectOutcome, RemoteServer, RemoteTools } from '../../tools/remoteTools.js';
import { attemptWithin, connectFailure, type ServerTarget } from './connecting/attemptWithin.js';
import { callTool } from './callTool.js';
import type { ClientLimits } from './limits.js';
import { openLink, relist, type ServerLink } from './connecting/serverLink.js';
import { policyOf } from './serverUrl.js';
import { sharedWait } from '../../platform/sharedWait.js';

export interface RemoteToolsOptions {
  /** Reads the vault; null when nothing is stored for the server. What it throws reaches whoever connects. */
  readonly lookup: (serverId: string) => Promise<ServerTarget | null>;
  readonly resolve: Resolve;
  readonly schedule: Schedule;
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
  readonly abort: AbortController;
  calls: number;
  cancelIdle: () => void;
}

/** Makes the MCP client. Connections are opened when they are needed and closed when nobody uses them. */
export function makeRemoteTools(options: RemoteToolsOptions): McpClient {
  const { limits } = options;
  const entries = new Map<string, Entry>();
  const probes = new Set<AbortController>();
  /** Connections that are let go of while calls on them are under way. */
  const retiring = new Set<ServerLink>();
  let closed = false;

  function entryOf(serverId: string): Entry {
    const known = entries.get(serverId);
    if (known !== undefined) return known;
    const entry: Entry = { link: null, attempt: null, abort: new AbortController(), calls: 0, cancelIdle: () => undefined };
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

  async function attempt(server: RemoteServer, entry: Entry): Promise<ConnectOutcome> {
    const target = await options.lookup(server.serverId);
    if (target === null) return connectFailure('address_missing', `No address is stored for ${server.name}. Remove it and add it again.`);
    return attemptWithin(limits.connectMs, entry.abort.signal, target, async (signal) => {
      if (entry.link !== null) await refresh(entry, entry.link, signal);
      if (entry.link === null) {
        const link = await open(target, server.workspace, signal);
        if (entry.abort.signal.aborted) await link.connection.close();
        else entry.link = link;
        return link.listing;
      }
      return entry.link.listing;
    });
  }

  /** Lists again on a live connection; when that fails the connection is let go of, and a fresh one is tried. */
  async function refresh(entry: Entry, link: ServerLink, signal: AbortSignal): Promise<void> {
    try {
      await relist(link, options, signal);
    } catch {
      drop(entry, link);
    }
  }

  function open(target: ServerTarget, workspace: string, signal: AbortSignal): Promise<ServerLink> {
    return openLink({ ...options, ...target, policy: policyOf(workspace) }, signal);
  }

  return {
    async connect(server, signal) {
      if (closed || signal.aborted) return connectFailure('cancelled', 'The wait was given up.');
      const entry = entryOf(server.serverId);
      touch(entry);
      if (entry.link !== null && !entry.link.relisting.due) return { ok: true, listing: entry.link.listing };
      entry.attempt ??= attempt(server, entry).finally(() => {
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
      probes.add(abort);
      const onAbort = () => abort.abort();
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) abort.abort();
      try {
        return await attemptWithin(limits.connectMs, abort.signal, target, async (both) => {
          const link = await open(target, workspace, both);
          await link.connection.close();
          return link.listing;
        });
      } finally {
        signal.removeEventListener('abort', onAbort);
        probes.delete(abort);
      }
    },

    async close() {
      closed = true;
      for (const probe of probes) probe.abort();
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
      await Promise.all([...retiring].map((link) => link.connection.close()));
    },
  };
}
