import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mcpFetch, type FetchParts } from './mcpFetch.js';
import type { Wire } from './wire.js';

/** Streamable HTTP. A stream that ends before its answer is picked up again as the server says, within bounds. */
export function streamableHttp(url: URL, parts: FetchParts): Wire {
  const { retryMs } = parts.limits;
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: mcpFetch(parts),
    // How often is up to the fetch, which lets so many pass a minute; each of its tries is a success to the transport.
    reconnectionOptions: { initialReconnectionDelay: 500, maxReconnectionDelay: 5_000, reconnectionDelayGrowFactor: 2, maxRetries: 1 },
  });
  boundRetry(transport, retryMs);
  return { transport: transport, fresh: () => true, goodbye: () => transport.terminateSession() };
}

/**
 * Keeps within bounds how long a server's `retry` makes the SDK wait. The SDK takes any number, and a timer of more than
 * 2^31 milliseconds fires at once.
 */
function boundRetry(transport: StreamableHTTPClientTransport, { least, most }: { readonly least: number; readonly most: number }): void {
  let given: number | undefined;
  Object.defineProperty(transport, '_serverRetryMs', {
    get: () => given,
    set: (ms: number) => (given = Math.min(Math.max(ms, least), most)),
  });
}
