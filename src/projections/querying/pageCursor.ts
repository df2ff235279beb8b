import { Fault } from '../../platform/fault.js';

/** Where a page ended: `seq` of its last call, and which way it was read. */
export interface PageCursor {
  readonly seq: number;
  readonly order: 'newest' | 'oldest';
}

/** The cursor as callers get it: opaque, with its version. */
export function encodeCursor({ seq, order }: PageCursor): string {
  return Buffer.from(`1:${order}:${seq}`).toString('base64url');
}

/**
 * Reads a cursor that a caller gave back.
 * @throws Fault `invalid_cursor` when it was not made by `encodeCursor`, or belongs to the other order
 */
export function decodeCursor(cursor: string, order: PageCursor['order']): PageCursor {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, of, seq] = /^1:(newest|oldest):([1-9][0-9]{0,14})$/.exec(text) ?? [];
  if (of === order && seq !== undefined && encodeCursor({ seq: Number(seq), order }) === cursor) return { seq: Number(seq), order };
  throw new Fault(
    'usage',
    'invalid_cursor',
    'The cursor is not one that this search gave. Use the cursor of the page before unchanged, with the same order, or leave it out to start again.',
    { cursor: cursor.slice(0, 200) },
  );
}
