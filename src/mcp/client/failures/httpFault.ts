/** The server answered, and not in the way of MCP: an HTTP error, or something that is no MCP message. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault';

  /**
   * @param status HTTP status
   * @param excerpt what the server said, not yet safe to show
   * @param rpcCode code of the JSON-RPC error in the body, when there is one
   * @param inSession whether the request named a session
   */
  constructor(
    readonly status: number,
    readonly excerpt: string,
    readonly rpcCode: number | null,
    readonly inSession: boolean,
  ) {
    super(`HTTP ${status}`);
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
