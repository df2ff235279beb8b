import type { JsonValue } from '../json.js';
import { cutBeforeScrub } from './text/cutBeforeScrub.js';
import { noKnownKeys, type KnownKeys } from './knownKeys.js';
import { marker } from './marker.js';
import { maxScrubBytes, scrubText } from './scrubText.js';
import { isSecretName } from './secretNames.js';

/** What a rule did: where, as a JSON Pointer (RFC 6901) with `*` for keys that are not known, and which rule. */
export interface ScrubNote {
  readonly path: string;
  readonly rule: string;
}

export interface ScrubbedValue {
  readonly value: JsonValue;
  /** At most `maxNotes`, each once. */
  readonly notes: readonly ScrubNote[];
}

/** More notes than this are not kept; the last then says `more_notes`. */
export const maxNotes = 100;
/** Levels of nesting that are kept, counted through JSON inside strings. */
const maxDepth = 64;
const maxPathChars = 300;

interface Walk {
  readonly maxBytes: number;
  bytesLeft: number;
  /** How often a rule fired; the notes hold each place once. */
  fired: number;
  readonly notes: Map<string, ScrubNote>;
}

interface Place {
  readonly path: string;
  readonly depthLeft: number;
  readonly known: KnownKeys;
}

/**
 * Removes secrets from a JSON value at any nesting, and inside strings that are JSON themselves. What stands under a
 * key whose name says secret is removed whole, whatever it is. Structure is kept; what is too deep becomes
 * `[redacted:too_deep]`, what comes after `maxBytes` is dropped unseen. Never throws; the answer is always JSON.
 * @param known keys that are part of a known structure
 * @param maxBytes at most `maxScrubBytes`
 */
export function scrubValue(value: JsonValue, known: KnownKeys = noKnownKeys, maxBytes = maxScrubBytes): ScrubbedValue {
  const walk: Walk = { maxBytes, bytesLeft: maxBytes, fired: 0, notes: new Map() };
  const place = { path: '', depthLeft: maxDepth, known };
  return { value: scrubAt(value, place, walk), notes: [...walk.notes.values()] };
}

function scrubAt(value: JsonValue, place: Place, walk: Walk): JsonValue {
  if (typeof value === 'string') return scrubString(value, place, walk);
  if (value === null || typeof value !== 'object') {
    walk.bytesLeft -= 8;
    return typeof value === 'number' && !Number.isFinite(value) ? null : value;
  }
  if (place.depthLeft === 0) return removed(place.path, 'too_deep', walk);
  walk.bytesLeft -= 2;
  return Array.isArray(value) ? scrubList(value, place, walk) : scrubObject(value as { readonly [key: string]: JsonValue }, place, walk);
}

function scrubString(text: string, place: Place, walk: Walk): string {
  const kept = cutBeforeScrub(text, walk.bytesLeft);
  if (kept !== text) note(place.path, 'too_large', walk);
  walk.bytesLeft -= Buffer.byteLength(kept === text ? text : text.slice(0, walk.bytesLeft));
  const inner = jsonInside(kept);
  if (inner !== undefined) {
    if (place.depthLeft === 0) return removed(place.path, 'too_deep', walk);
    const { fired, bytesLeft } = walk;
    // The bytes of this text are counted already.
    walk.bytesLeft = walk.maxBytes;
    const clean = scrubAt(inner, { ...place, depthLeft: place.depthLeft - 1, known: noKnownKeys }, walk);
    walk.bytesLeft = bytesLeft;
    const written = JSON.stringify(clean);
    if (walk.fired > fired) return written;
    // Written the same again, the text holds nothing beside the value; else a key may stand in it twice.
    if (written === kept) return kept;
  }
  const { text: clean, rules } = scrubText(kept);
  for (const rule of rules) note(place.path, rule, walk);
  return clean;
}

/** The value of a string that is JSON text of an object, a list or a string; undefined when it is none. */
function jsonInside(text: string): JsonValue | undefined {
  if (!/^\s{0,64}[{["]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function scrubList(list: readonly JsonValue[], place: Place, walk: Walk): JsonValue[] {
  const clean: JsonValue[] = [];
  for (const [index, item] of list.entries()) {
    const path = `${place.path}/${index}`;
    if (isOver(path, walk)) break;
    const name = index > 0 ? list[index - 1] : undefined;
    // ["--token", "…"] of a command line and ["authorization", "…"] of a list of headers.
    const named = typeof name === 'string' && (/^--?\w/.test(name) || list.length === 2) && isWord(name) && isSecretName(name);
    clean.push(named ? removed(path, 'named', walk) : scrubAt(item, { path, depthLeft: place.depthLeft - 1, known: place.known.items() }, walk));
  }
  return clean;
}

function scrubObject(object: { readonly [key: string]: JsonValue }, place: Place, walk: Walk): JsonValue {
  const clean: { [key: string]: JsonValue } = {};
  const namesSecret = saysSecretName(object);
  for (const [index, key] of Object.keys(object).entries()) {
    const known = place.known.knows(key);
    const path = childPath(place.path, known ? key : '*');
    if (isOver(path, walk)) break;
    const value = object[key] ?? null;
    const secret = isSecretName(key) || (namesSecret && valueKeys.has(key.toLowerCase()));
    const below = { path, depthLeft: place.depthLeft - 1, known: known ? place.known.below(key) : noKnownKeys };
    setOwn(clean, known ? key : scrubKey(key, { path, index }, clean, walk), secret ? removed(path, 'named', walk) : scrubAt(value, below, walk));
  }
  return clean;
}

const nameKeys = ['name', 'key', 'header', 'field', 'parameter', 'variable', 'option'];
const valueKeys = new Set(['value', 'val', 'default', 'string_value', 'stringvalue']);

/** `{"name": "Authorization", "value": "…"}`, as lists of headers, fields and variables are written. */
function saysSecretName(object: { readonly [key: string]: JsonValue }): boolean {
  return nameKeys.some((key) => Object.hasOwn(object, key) && isWord(object[key]) && isSecretName(object[key]));
}

/** A name as programs write it; a sentence about a password names nothing. */
function isWord(text: JsonValue | undefined): text is string {
  return typeof text === 'string' && /^[\p{L}\p{N}_.-]{1,64}$/u.test(text);
}

function scrubKey(key: string, at: { readonly path: string; readonly index: number }, taken: object, walk: Walk): string {
  walk.bytesLeft -= Buffer.byteLength(key);
  const { text, rules } = scrubText(key);
  for (const rule of rules) note(at.path, rule, walk);
  let free = text;
  // Two keys may become the same; the place in the object keeps them apart.
  for (let copy = at.index + 1; Object.hasOwn(taken, free); copy++) free = `${text} (${copy})`;
  return free;
}

/** Plain assignment would call the setter of `__proto__`; defining every key takes several times as long. */
function setOwn(object: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

function isOver(path: string, walk: Walk): boolean {
  if (walk.bytesLeft > 0) return false;
  note(path, 'too_large', walk);
  return true;
}

function removed(path: string, rule: string, walk: Walk): string {
  note(path, rule, walk);
  return marker(rule);
}

function childPath(path: string, key: string): string {
  const longer = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return longer.length > maxPathChars ? path : longer;
}

function note(path: string, rule: string, walk: Walk): void {
  walk.fired++;
  const id = `${path}\n${rule}`;
  if (walk.notes.has(id)) return;
  if (walk.notes.size < maxNotes - 1) walk.notes.set(id, { path, rule });
  else walk.notes.set('', { path: '', rule: 'more_notes' });
}
