import { hash } from 'node:crypto';
import { Fault } from '../../platform/fault.js';

/** What was searched for: any fields; `cursor` and `limit` may change from page to page. */
interface Searched {
  readonly order: 'newest' | 'oldest';
  readonly cursor?: string;
  readonly limit?: number;
}

/**
 * The cursor as callers get it: opaque, with its version, and bound to the search that gave it.
 * @param seq of the last call on the page
 */
export function encodeCursor(seq: number, searched: Searched): string {
  return Buffer.from(`2:${seq}:${digestOf(searched)}`).toString('base64url');
}

/**
 * Reads a cursor that a caller gave back.
 * @returns where the page before ended
 * @throws Fault `invalid_cursor` when it was not made by `encodeCursor`
 * @throws Fault `foreign_cursor` when it belongs to another filter or order: going on from there would skip or repeat calls
 */
export function decodeCursor(cursor: string, searched: Searched): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, seq, digest] = /^2:([1-9][0-9]{0,14}):([0-9a-f]{16})$/.exec(text) ?? [];
  if (seq === undefined || Buffer.from(text).toString('base64url') !== cursor) {
    throw refusal('invalid_cursor', 'The cursor is not one that a search gave. Use the cursor of the page before unchanged, or leave it out to start again.', cursor);
  }
  if (digest !== digestOf(searched)) {
    throw refusal('foreign_cursor', 'The cursor belongs to a search with another filter or order. Repeat that search unchanged, or leave the cursor out to start again.', cursor);
  }
  return Number(seq);
}

function refusal(code: string, message: string, cursor: string): Fault {
  return new Fault('usage', code, message, { cursor: cursor.slice(0, 200) });
}

/** Of times only that they were given: an age like `24h` means another moment at each page, and every page applies its own. */
function digestOf(searched: Searched): string {
  const bound = Object.entries(searched)
    .filter(([name, value]) => name !== 'cursor' && name !== 'limit' && value !== undefined)
    .map(([name, value]) => (name === 'since' || name === 'until' ? [name] : [name, value as string]));
  return hash('sha256', JSON.stringify(bound.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))), 'hex').slice(0, 16);
}
