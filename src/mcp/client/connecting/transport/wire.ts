import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** The transports of MCP over HTTP: the present one, and the one of 2024-11-05 that it replaced. */
export type TransportKind = 'streamable_http' | 'legacy_sse';

/** What carries the messages of one connection. */
export interface Wire {
  readonly transport: Transport;
  /** Whether another request should go over it; otherwise a fresh connection is due. */
  fresh(): boolean;
  /** Tells the server that the session is over, when there is one. */
  goodbye(): Promise<void>;
}
