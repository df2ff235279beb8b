/** A JSON-RPC error as the server wrote it; not yet safe to show. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

export interface HttpFailure {
  readonly status: number;
  /** The JSON-RPC error in the body, when there is one. */
  readonly rpc: RpcError | null;
  /** Whether the request named a session. */
  readonly inSession: boolean;
  /** Whether it was the request that begins a connection. */
  readonly opening: boolean;
  /** How long the server asks to wait, in milliseconds, however long; null when it did not say. */
  readonly retryAfterMs: number | null;
  /** What more is needed, where it says that the token is good and not enough; null otherwise. */
  readonly scopesMissing: readonly string[] | null;
}

/** The server answered with an HTTP error. */
export class HttpFault extends Error implements HttpFailure {
  override readonly name = 'HttpFault';
  readonly status: number;
  readonly rpc: RpcError | null;
  readonly inSession: boolean;
  readonly opening: boolean;
  readonly retryAfterMs: number | null;
  readonly scopesMissing: readonly string[] | null;

  constructor({ status, rpc, inSession, opening, retryAfterMs, scopesMissing }: HttpFailure) {
    super(`HTTP ${status}`);
    this.status = status;
    this.rpc = rpc;
    this.inSession = inSession;
    this.opening = opening;
    this.retryAfterMs = retryAfterMs;
    this.scopesMissing = scopesMissing;
  }
}

/** The server answered a request with something that is no MCP message. */
export class NotMcp extends Error {
  override readonly name = 'NotMcp';
}

/** Reads a JSON-RPC error out of a body. */
export function rpcErrorIn(body: string): RpcError | null {
  try {
    const parsed = JSON.parse(body) as { readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } } | null;
    const { code, message, data } = parsed?.error ?? {};
    return typeof code === 'number' ? { code, message: typeof message === 'string' ? message : '', data } : null;
  } catch {
    return null;
  }
}
