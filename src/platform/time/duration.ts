import { Fault } from '../fault.js';
import { quoteGiven } from '../text/given.js';

const written = /^(\d{1,9})([smhd])$/;
const unitMs = new Map([['d', 86_400_000], ['h', 3_600_000], ['m', 60_000], ['s', 1_000]]);

/**
 * How long `90s`, `15m`, `24h` or `7d` are.
 * @returns milliseconds, or null when the text is not of that form
 */
export function durationMs(text: string): number | null {
  const [, count, unit] = written.exec(text) ?? [];
  const ms = unitMs.get(unit ?? '');
  return ms === undefined ? null : Number(count) * ms;
}

/**
 * Reads a length of time as people give it on the command line.
 * @returns milliseconds
 * @throws Fault usage `invalid_duration`
 */
export function parseDuration(text: string): number {
  const ms = durationMs(text);
  if (ms !== null) return ms;
  throw new Fault('usage', 'invalid_duration', `${quoteGiven(text)} is not a length of time. Allowed: a whole number with s, m, h or d (90s, 15m, 24h, 7d).`);
}

/** A length of time for people, in the two largest units that say something: `2d 4h`, `5m`, `1s`; below a second `250ms`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  const units = [...unitMs];
  const largest = units.findIndex(([, size]) => ms >= size);
  let left = ms;
  const parts = [];
  for (const [unit, size] of units.slice(largest, largest + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join(' ');
}
