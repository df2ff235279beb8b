import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { cappedEvents } from './cappedEvents.js';
import { NetFault } from '../../../../platform/net/netFault.js';
import { NotMcp } from '../../failures/httpFault.js';
import { carriedRequest, eventStream, httpFault, kindOf, unwatched, watchOf } from './httpRequest.js';
import type { FetchParts } from './mcpFetch.js';
import type { Wire } from './wire.js';

/**
 * HTTP with SSE, the transport of 2024-11-05: one stream carries every answer, requests go to the endpoint it names. A
 * stream that is over is never opened again, because the server would begin another session on it: all that wait are
 * told, and the next request makes a new connection.
 */
export function legacySse(url: URL, parts: FetchParts): Wire {
  const { guarded, exchanges, limits, clock } = parts;
  let opened = false;
  let over = false;
  let bytes = 0;
  // Deprecated, as is what it speaks; servers that speak nothing else are still about.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const transport = new SSEClientTransport(url, { fetch: (target, init = {}) => (init.method === 'POST' ? post(target, init) : open(target, init)) });

  const post: FetchLike = async (target, init = {}) => {
    const request = carriedRequest(init.body);
    const exchange = request === null ? undefined : exchanges.byRequestId(request.id);
    const response = await guarded.fetch(target, init, exchange === undefined ? unwatched(limits.notifyMs) : watchOf(exchange));
    if (response.ok) return response;
    throw await httpFault(response, init, false, clock.now());
  };

  const open: FetchLike = async (target, init = {}) => {
    // What the SDK's event source takes as the word to stop.
    if (opened) return new Response(null, { status: 204 });
    opened = true;
    let oversize: NetFault | null = null;
    try {
      const response = await guarded.fetch(target, init, { onBodyEnd: (end) => setImmediate(lose, () => oversize ?? end) });
      if (!response.ok) throw await httpFault(response, init, true, clock.now());
      if (kindOf(response) !== eventStream || response.body === null) {
        await response.body?.cancel();
        const given = kindOf(response);
        throw new NotMcp(`content type ${given === '' ? 'missing' : `\u201c${given}\u201d`} instead of an event stream`);
      }
      const body = cappedEvents(response.body, limits.fetch.bodyBytes, {
        seen: (count) => (bytes += count),
        tooLarge: (fault) => (oversize = fault),
      });
      return new Response(body, { headers: { 'content-type': eventStream } });
    } catch (error) {
      lose(() => error);
      throw error;
    }
  };

  function lose(problem: () => unknown): void {
    if (over) return;
    over = true;
    const why = problem();
    exchanges.failAll(why instanceof NetFault && why.code === 'response_too_large' ? 'protocol_error' : 'connection_lost', why);
    void transport.close();
  }

  return { transport: transport, fresh: () => !over && bytes <= limits.legacyStreamBytes, goodbye: async () => undefined };
}
