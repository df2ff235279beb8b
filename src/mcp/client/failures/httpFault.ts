export interface HttpFailure {
  readonly status: number;
  /** What the server said, not yet safe to show. */
  readonly excerpt: string;
  /** Code of the JSON-RPC error in the body, when there is one. */
  readonly rpcCode: number | null;
  /** Whether the request named a session. */
  readonly inSession: boolean;
  /** Whether it was the request that begins a connection. */
  readonly opening: boolean;
  /** How long the server asks to wait, in milliseconds; null when it did not say. */
  readonly retryAfterMs: number | null;
}

/** The server answered with an HTTP error. */
export class HttpFault extends Error implements HttpFailure {
  override readonly name = 'HttpFault';
  readonly status: number;
  readonly excerpt: string;
  readonly rpcCode: number | null;
  readonly inSession: boolean;
  readonly opening: boolean;
  readonly retryAfterMs: number | null;

  constructor({ status, excerpt, rpcCode, inSession, opening, retryAfterMs }: HttpFailure) {
    super(`HTTP ${status}`);
    this.status = status;
    this.excerpt = excerpt;
    this.rpcCode = rpcCode;
    this.inSession = inSession;
    this.opening = opening;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The server answered a request with something that is no MCP message. */
export class NotMcp extends Error {
  override readonly name = 'NotMcp';
}

/** Reads the code and message of a JSON-RPC error out of a body. */
export function rpcErrorIn(body: string): { readonly code: number; readonly message: string } | null {
  try {
    const parsed = JSON.parse(body) as { readonly error?: { readonly code?: unknown; readonly message?: unknown } } | null;
    const code = parsed?.error?.code;
    const message = parsed?.error?.message;
    return typeof code === 'number' ? { code, message: typeof message === 'string' ? message : '' } : null;
  } catch {
    return null;
  }
}
