import type { FetchLimits } from '../../platform/net/guardedFetch.js';

/** Bounds of the MCP client; times in milliseconds, sizes in bytes. */
export interface ClientLimits {
  /** One attempt to reach a server: handshake and listing together. */
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
  /** How often one request may be picked up again after its stream broke. */
  readonly resumes: number;
  readonly fetch: FetchLimits;
}

export const defaultClientLimits: ClientLimits = {
  connectMs: 15_000,
  listMs: 10_000,
  idleMs: 600_000,
  goodbyeMs: 1_000,
  notifyMs: 10_000,
  pages: 50,
  tools: 128,
  definitionBytes: 65_536,
  resumes: 5,
  // Whoever waits has a shorter deadline; this one is for those who forget.
  fetch: { connectMs: 10_000, headersMs: 300_000, errorBodyMs: 2_000, bodyBytes: 8 * 1024 * 1024, errorBodyBytes: 4_096 },
};
