import { durationMs } from './duration.js';
import { Fault } from '../fault.js';
import { quoteGiven } from '../text/given.js';

const instant = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const plainDate = /^\d{4}-\d{2}-\d{2}$/;

const allowedTimes =
  'ISO 8601 with an offset (2026-03-01T09:30:00Z, 2026-03-01T18:30+09:00), a plain date in the local time zone (2026-03-01, meaning its start), or an age (90s, 15m, 24h, 7d)';

/**
 * Reads a time as people give it on the command line.
 * @param text ISO 8601 with offset, a plain date (its first moment in the process's time zone), or an age before now
 * @param now milliseconds since the epoch
 * @returns milliseconds since the epoch
 * @throws Fault usage `invalid_time`
 */
export function parseWhen(text: string, now: number): number {
  const ms = agedMs(text, now) ?? instantMs(text) ?? dateMs(text);
  if (ms !== null) return ms;
  throw new Fault('usage', 'invalid_time', `${quoteGiven(text)} is not a time that can be understood. Allowed: ${allowedTimes}.`);
}

function agedMs(text: string, now: number): number | null {
  const age = durationMs(text);
  if (age === null) return null;
  const time = now - age;
  return Number.isNaN(new Date(time).getTime()) ? null : time;
}

function instantMs(text: string): number | null {
  const day = instant.exec(text)?.[1];
  if (day === undefined || !isCalendarDay(day)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

function dateMs(text: string): number | null {
  if (!plainDate.test(text) || !isCalendarDay(text)) return null;
  return new Date(`${text}T00:00`).getTime();
}

/** `Date.parse` takes 30 February for 2 March; a person who typed it meant something else. */
function isCalendarDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
