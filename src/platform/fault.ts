import type { JsonValue } from './json.js';

/**
 * What a failure means for whoever asked; the command line maps it to its exit code.
 * - `failed` (1): it was asked properly and did not work, or was refused
 * - `usage` (2): the request itself is wrong; nothing was recorded
 * - `damaged` (3): the ledger is damaged or incomplete
 */
export type FaultKind = 'failed' | 'usage' | 'damaged';

/**
 * A failure meant for people: it names the thing, what was given, what is allowed and what to do next.
 * Doors show `code`, `message` and `details`, and never a stack.
 */
export class Fault extends Error {
  override readonly name = 'Fault';

  /**
   * @param kind what it means for whoever asked
   * @param code stable machine-readable name, `lower_snake_case`
   * @param message one or two sentences, safe to show; no secrets
   * @param details further fields for machines, safe to show
   */
  constructor(
    readonly kind: FaultKind,
    readonly code: string,
    message: string,
    readonly details: { readonly [key: string]: JsonValue } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
