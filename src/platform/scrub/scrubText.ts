import { cutBeforeScrub } from './text/cutBeforeScrub.js';
import { findAssignments } from './finders/findAssignments.js';
import { findHeaders } from './finders/findHeaders.js';
import { findHighEntropy } from './finders/findHighEntropy.js';
import { findPem } from './finders/findPem.js';
import { findStated } from './finders/findStated.js';
import { findTokens } from './finders/findTokens.js';
import { findUrlSecrets } from './finders/findUrlSecrets.js';
import { marker } from './marker.js';
import { joinSpans, type Span } from './text/span.js';
import { unescapeText } from './text/unescapeText.js';

/** Text without the secrets that were found in it. */
export interface ScrubbedText {
  readonly text: string;
  /** Names of the rules that fired, each once; `too_large` when the text was cut. */
  readonly rules: readonly string[];
}

/** Most bytes of UTF-8 that are scanned and kept; what lies beyond is dropped unseen. */
export const maxScrubBytes = 256 * 1024;

/** The order decides which rule names a secret that several see. */
const finders = [findPem, findTokens, findUrlSecrets, findHeaders, findAssignments, findStated, findHighEntropy];
/** JSON in JSON in JSON … in a text; each layer takes half of the backslashes, so more is never reached by accident. */
const maxLayers = 8;
const maxRounds = 6;
/** Short words without any sign that divides a name from a value, and ids of Discord: most texts are no more than that. */
const ordinary = /^(?:\d{1,21}|(?:[A-Za-z0-9_.,'?!()]{1,13}(?: |$)){0,40})$/;
/** Words after which a secret may stand all the same. */
const telling = /pass|pwd|contra|wort|senha|key|token|secret|pin|schl|chave|clave|bearer|basic|bot|login/i;

/**
 * Replaces what looks like a secret with `[redacted:<rule>]`. Scrubbing twice gives the same as scrubbing once.
 * Never throws. A text over `maxScrubBytes` is cut first and ends in `[redacted:too_large]`.
 * @param text any text; lone surrogates become U+FFFD
 */
export function scrubText(text: string): ScrubbedText {
  if (ordinary.test(text) && !telling.test(text)) return { text, rules: [] };
  const rules = new Set<string>();
  let current = bounded(wellFormed(text), rules);
  // What stood before a removed secret can hide the next one; rounds go on until nothing is found.
  for (let round = 0; round < maxRounds; round++) {
    const spans = findSecrets(current);
    if (spans.length === 0) break;
    for (const { rule } of spans) rules.add(rule);
    current = bounded(replaced(current, spans), rules);
  }
  return { text: current, rules: [...rules] };
}

/** Lone surrogates have no UTF-8 form; U+FFFD stands in their place. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}

function bounded(text: string, rules: Set<string>): string {
  const kept = cutBeforeScrub(text, maxScrubBytes);
  if (kept !== text) rules.add('too_large');
  return kept;
}

function findSecrets(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const find of finders) for (const span of find(text)) spans.push(span);
  for (const span of findEscaped(text)) spans.push(span);
  return joinSpans(spans);
}

/** Looks through escapes, layer by layer, and brings what is found back to where it stands in the text. */
function findEscaped(text: string): Span[] {
  const spans: Span[] = [];
  const layers: Uint32Array[] = [];
  let current = text;
  for (let layer = 0; layer < maxLayers; layer++) {
    const unescaped = unescapeText(current);
    if (unescaped === null) break;
    layers.unshift(unescaped.origin);
    current = unescaped.text;
    const back = (offset: number): number => layers.reduce((at, origin) => origin[at] ?? 0, offset);
    for (const find of finders) {
      for (const span of find(current)) spans.push({ rule: span.rule, start: back(span.start), end: back(span.end) });
    }
  }
  return spans;
}

function replaced(text: string, spans: readonly Span[]): string {
  let output = '';
  let copied = 0;
  for (const { start, end, rule } of spans) {
    output += text.slice(copied, start) + marker(rule);
    copied = end;
  }
  return output + text.slice(copied);
}
