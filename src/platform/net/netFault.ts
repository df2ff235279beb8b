/** Why a guarded request did not give a usable response. */
export type NetFaultCode =
  | 'invalid_url'
  | 'blocked_address'
  | 'other_origin'
  | 'redirect_refused'
  | 'response_too_large'
  | 'dns_failed'
  | 'connect_failed'
  | 'connect_timeout'
  | 'tls_failed'
  | 'header_timeout'
  | 'body_timeout'
  | 'total_timeout'
  | 'connection_lost'
  | 'aborted';

/** A request that was refused by our own guard, or failed below HTTP. The message names no path, query or secret. */
export class NetFault extends Error {
  override readonly name = 'NetFault';

  constructor(
    readonly code: NetFaultCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The fault in `error` or in what caused it, at most five causes deep; null when there is none. */
export function netFaultIn(error: unknown): NetFault | null {
  let at: unknown = error;
  for (let depth = 0; depth < 5 && typeof at === 'object' && at !== null; depth += 1) {
    if (at instanceof NetFault) return at;
    at = 'cause' in at ? at.cause : null;
  }
  return null;
}
