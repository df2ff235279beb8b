import { RequestFault, type ConnectionOptions } from './connection.js';
import { HttpFault } from '../failures/httpFault.js';
import { openLink, type ServerLink } from './serverLink.js';
import type { TransportKind } from './transport/wire.js';
import { withinTime } from './withinTime.js';

/** Neither transport gave a working server. */
export class NeitherTransport extends Error {
  override readonly name = 'NeitherTransport';

  constructor(readonly failures: { readonly [kind in TransportKind]: unknown }) {
    super('No transport gave a working server.');
  }
}

const other: { readonly [kind in TransportKind]: TransportKind } = { streamable_http: 'legacy_sse', legacy_sse: 'streamable_http' };

/** What the protocol takes as a sign of the other transport when a connection begins (2025-11-25, Backwards Compatibility). */
const signs: ReadonlySet<number> = new Set([400, 404, 405]);

/**
 * Connects and lists over one transport, and over the other when the server's answer says that it may be that one. Each
 * is a client of its own and has the whole time of an attempt.
 * @param first what is tried first
 * @throws NeitherTransport with both failures; a failure that says nothing about the transport as it is
 */
export async function openEither(options: Omit<ConnectionOptions, 'onToolsChanged' | 'transport'>, first: TransportKind, signal: AbortSignal): Promise<ServerLink> {
  const attempt = (transport: TransportKind): Promise<ServerLink> =>
    withinTime(options.limits.connectMs, signal, (within) => openLink({ ...options, transport }, within));
  try {
    return await attempt(first);
  } catch (one) {
    if (!saysOther(one)) throw one;
    const second = other[first];
    try {
      return await attempt(second);
    } catch (two) {
      throw new NeitherTransport(first === 'streamable_http' ? { streamable_http: one, legacy_sse: two } : { streamable_http: two, legacy_sse: one });
    }
  }
}

/** A server that answers with an error of JSON-RPC speaks MCP there, and has said what is wrong. */
function saysOther(error: unknown): boolean {
  const cause = error instanceof RequestFault ? error.cause : null;
  return cause instanceof HttpFault && cause.opening && cause.rpc === null && signs.has(cause.status);
}
