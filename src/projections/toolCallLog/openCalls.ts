import type { Database } from 'better-sqlite3';
import { statement } from '../readModel/statements.js';

/** A call without an ending. */
export interface OpenCall {
  readonly callId: string;
  readonly workspace: string;
  readonly recordedAt: number;
}

/** All calls without an ending, oldest first. Few: those running now, and those a stopped process left behind. */
export function openCalls(log: Database): readonly OpenCall[] {
  return statement<[], OpenCall>(
    log,
    `SELECT c.call_id AS callId, c.workspace, c.recorded_at AS recordedAt
     FROM unended u JOIN calls c ON c.seq = u.seq WHERE c.outcome = 'open' ORDER BY c.seq`,
  ).all();
}
