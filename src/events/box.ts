import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { hkdf } from '../platform/hkdf.js';
import type { JsonObject } from '../platform/json.js';

const nonceBytes = 12;
const tagBytes = 16;

/** What a box is bound to: moved to another event, stream or person it does not open. */
export interface BoxBinding {
  readonly stream: string;
  readonly eventId: string;
  readonly subject: string;
}

/**
 * The key that opens one event's box of one person and nothing else, 32 bytes: HKDF-SHA-256 (RFC 5869) of the
 * subject's key with the event id as info.
 */
export function boxKey(subjectKey: Uint8Array, eventId: string): Buffer {
  return hkdf(subjectKey, `toolledger/box@1 ${eventId}`);
}

/**
 * Seals one person's values of one event with AES-256-GCM. The nonce is derived from the content, so that the same
 * content gives the same bytes and an append can be repeated; the key is used for this event only.
 * @returns base64 of nonce ‖ ciphertext ‖ tag
 */
export function sealBox(subjectKey: Uint8Array, binding: BoxBinding, values: JsonObject): string {
  const key = boxKey(subjectKey, binding.eventId);
  const plain = Buffer.from(JSON.stringify(values));
  const bound = associated(binding);
  const nonce = createHmac('sha256', key).update('nonce').update(bound).update(plain).digest().subarray(0, nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/**
 * Opens what `sealBox` made.
 * @returns the values, or null when the key, the binding or a byte is not the one it was sealed with
 */
export function openBox(subjectKey: Uint8Array, binding: BoxBinding, box: string): JsonObject | null {
  return openBoxWith(boxKey(subjectKey, binding.eventId), binding, box);
}

/** The same for somebody who was given the key of that one box; see `boxKey`. */
export function openBoxWith(key: Uint8Array, binding: BoxBinding, box: string): JsonObject | null {
  const sealed = Buffer.from(box, 'base64');
  if (sealed.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes)).setAAD(associated(binding)).setAuthTag(sealed.subarray(-tagBytes));
  try {
    const plain = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
    // Adds nothing; throws when a byte is not the one that was sealed.
    decipher.final();
    return JSON.parse(plain.toString()) as JsonObject;
  } catch {
    return null;
  }
}

/** Reads the `boxes` of an event: each person's subject id with the sealed box. */
export function boxesOf(boxes: string): ReadonlyArray<readonly [subject: string, box: string]> {
  return boxes === '' ? [] : (JSON.parse(boxes) as [string, string][]);
}

function associated(binding: BoxBinding): Buffer {
  return Buffer.from(JSON.stringify(['toolledger/box@1', binding.stream, binding.eventId, binding.subject]));
}
