import { createHmac } from 'node:crypto';
import { canonicalJson } from '../../platform/canonicalJson.js';
import { hkdf } from '../../platform/hkdf.js';
import type { JsonValue } from '../../platform/json.js';
import { isReadable } from './readableJson.js';

/**
 * Tells two calls of the same person with the same arguments, and nothing else: HMAC-SHA-256 of the canonical form
 * (RFC 8785), keyed from the person's key, so that it dies with that key.
 * @param subjectKey the person's key, 32 bytes
 * @returns 32 bytes as lower-case hex, or null when the arguments have no canonical form: lone surrogates, nested over
 * 1,000 levels, over 4 MiB
 */
export function argumentsDigest(subjectKey: Uint8Array, args: JsonValue): string | null {
  return keyedDigest(subjectKey, 'toolledger/arguments@1', args);
}

/** The same for one parameter of a built-in tool; the same value under another name gives another digest. */
export function parameterDigest(subjectKey: Uint8Array, parameter: string, value: JsonValue): string | null {
  return keyedDigest(subjectKey, 'toolledger/parameter@1', [parameter, value]);
}

function keyedDigest(subjectKey: Uint8Array, purpose: string, value: JsonValue): string | null {
  if (!isReadable(value)) return null;
  return createHmac('sha256', hkdf(subjectKey, purpose)).update(canonicalJson(value)).digest('hex');
}
