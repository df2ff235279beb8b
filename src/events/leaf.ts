import { hash } from 'node:crypto';
import type { NewEvent } from './envelope.js';

/**
 * The canonical header of an event: the RFC 8785 text of an array of its envelope in a fixed order. It is what an
 * event's leaf covers beside the content, and is small enough to be handed out as the entry of a public log.
 * The position is not in it: order is the leaf's index in the tree.
 */
export function canonicalHeader(
  event: Omit<NewEvent, 'data' | 'boxes'>,
  at: { readonly stream: string; readonly revision: number; readonly recordedAt: number },
): string {
  return JSON.stringify([
    'toolledger/event@1',
    event.id,
    at.stream,
    at.revision,
    event.type,
    event.version,
    event.occurredAt,
    at.recordedAt,
    event.actor,
    event.door,
    event.onBehalfOf,
    event.correlation,
    event.causation,
    event.workspace,
    event.runner,
  ]);
}

/**
 * SHA-256 over the clear data and the sealed boxes as stored. A line feed divides the two; JSON text never holds one.
 * @returns 32 bytes as lower-case hex
 */
export function contentHash(data: string, boxes: string): string {
  return hash('sha256', `${data}\n${boxes}`, 'hex');
}

/**
 * Leaf = SHA-256(0x00 ‖ canonical header ‖ content hash), RFC 6962 §2.1 with header ‖ 32-byte content hash as the entry.
 * @param header from `canonicalHeader`
 * @param contentHex from `contentHash`
 * @returns 32 bytes
 */
export function leafHash(header: string, contentHex: string): Buffer {
  // By way of hex: a digest asked for as a buffer gets memory of its own, which costs more than the hashing.
  return Buffer.from(leafHex(header, contentHex), 'hex');
}

/** The same as lower-case hex. */
export function leafHex(header: string, contentHex: string): string {
  return hash('sha256', leafInput(header, contentHex), 'hex');
}

/** What a leaf is the SHA-256 of: 0x00 ‖ entry. The entry, all but the first byte, is what a log gives out. */
export function leafInput(header: string, contentHex: string): Buffer {
  const input = Buffer.allocUnsafe(1 + Buffer.byteLength(header) + 32);
  input[0] = 0;
  const end = 1 + input.write(header, 1, 'utf8');
  input.write(contentHex, end, 'hex');
  return input;
}

/** The leaf of an event as it lies, or will lie, in the ledger. */
export function leafOf(
  event: NewEvent,
  at: { readonly stream: string; readonly revision: number; readonly recordedAt: number },
): Buffer {
  return leafHash(canonicalHeader(event, at), contentHash(event.data, event.boxes));
}
