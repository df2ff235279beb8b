import type { Database } from 'better-sqlite3';
import { storedCheckpoint } from '../readModel/checkpoint.js';
import { statement } from '../readModel/statements.js';
import type { CallConditions } from './queries.js';

/** A stretch of the log: places from `first` to `last`, both included; empty when `first` is behind `last`. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** The part of the log that a filter's times leave, no further than every view involved has come. */
export function stretchOf(log: Database, views: readonly Database[], { since, until }: Pick<CallConditions, 'since' | 'until'>): Stretch {
  const seen = Math.min(...views.map((view) => storedCheckpoint(view)?.ordinal ?? 0));
  return {
    first: since === undefined ? 1 : placeAt(log, since),
    last: until === undefined ? seen : Math.min(seen, placeAt(log, until) - 1),
  };
}

/** The place from which on calls were recorded at `time` or later; by halving, because recordedAt never falls. */
export function placeAt(log: Database, time: number): number {
  const next = statement<[number], { seq: number; recorded_at: number }>(log, 'SELECT seq, recorded_at FROM calls WHERE seq >= ? ORDER BY seq LIMIT 1');
  let low = 1;
  let high = (statement<[], number>(log, 'SELECT max(seq) FROM calls').pluck().get() ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const call = next.get(middle);
    if (call === undefined || call.recorded_at >= time) high = middle;
    else low = call.seq + 1;
  }
  return high;
}
