import type { FetchLimits } from '../../platform/net/connectorPolicy.js';

/** Bounds of the MCP client; times in milliseconds, sizes in bytes. */
export interface ClientLimits {
  /** One attempt to reach a server over one transport: handshake and listing together. */
  readonly connectMs: number;
  /** Listing all tools, over all pages. */
  readonly listMs: number;
  /** A connection nobody uses is closed after this time. */
  readonly idleMs: number;
  /** Saying goodbye to a server when a connection is closed. */
  readonly goodbyeMs: number;
  /** Sending what is no request: notifications, answers to the server. */
  readonly notifyMs: number;
  readonly pages: number;
  readonly tools: number;
  readonly definitionBytes: number;
  /** How often a minute streams that broke before their answer may be picked up again, on one connection. */
  readonly resumesPerMinute: number;
  /** How soon and how late one is picked up, whatever the server's `retry` says. */
  readonly retryMs: { readonly least: number; readonly most: number };
  /** A stream of the legacy transport that brought more than this is replaced before the next request. */
  readonly legacyStreamBytes: number;
  readonly fetch: FetchLimits;
}

/** Most bytes of one response. */
const responseBytes = 8 * 1024 * 1024;

/** A call may take an hour; whoever waits has a shorter deadline, and this one is for those who forget. */
const forgottenMs = 3_700_000;

export const defaultClientLimits: ClientLimits = {
  connectMs: 15_000,
  listMs: 10_000,
  idleMs: 600_000,
  goodbyeMs: 1_000,
  notifyMs: 10_000,
  pages: 50,
  tools: 128,
  definitionBytes: 65_536,
  resumesPerMinute: 6,
  retryMs: { least: 100, most: 60_000 },
  legacyStreamBytes: 4 * 1024 * 1024,
  fetch: {
    connectMs: 10_000,
    headersMs: forgottenMs,
    firstByteMs: forgottenMs,
    // A stream of the legacy transport lives as long as its connection.
    totalMs: null,
    errorBodyMs: 2_000,
    bodyBytes: responseBytes,
    errorBodyBytes: 4_096,
  },
};
