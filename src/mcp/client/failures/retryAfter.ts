import { longestWaitMs } from '../../../commands/mcpServers/breaker.js';

/**
 * How long a server asks to wait (RFC 9110 §10.2.3): seconds, or the date of HTTP in its present form.
 * @param header value of `Retry-After`; null when there is none
 * @param now milliseconds since the Unix epoch
 * @returns milliseconds, 0 or more; null when nothing usable was said
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : httpDate(text) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), Number.MAX_SAFE_INTEGER);
}

/** How much of what a server asks for is kept to, in milliseconds. */
export function keptWaitMs(askedMs: number): number {
  return Math.min(askedMs, longestWaitMs);
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`; NaN for anything else, which `Date.parse` might take for a date all the same. */
function httpDate(text: string): number {
  return /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : NaN;
}
