import { allMatches } from '../text/allMatches.js';
import { looksRandom, minRandomLength } from './looksRandom.js';
import type { Span } from '../text/span.js';

const run = new RegExp(`(?<![A-Za-z0-9_+/=.-])[A-Za-z0-9_+/=.-]{${minRandomLength},300000}`, 'g');
const dataUrl = /\bdata:[a-z0-9.+/-]{0,80}(?:;[a-z0-9=.+-]{1,80}){0,4};base64,([A-Za-z0-9+/=_-]{16,262144})/gi;

/** Runs of characters that look random, and the content of base64 data URLs. */
export function findHighEntropy(text: string): Span[] {
  if (text.length < minRandomLength) return [];
  const spans: Span[] = [];
  for (const { 0: whole, index } of allMatches(text, run)) spans.push(...randomParts(whole, index));
  if (text.includes('base64,')) {
    for (const found of allMatches(text, dataUrl)) {
      const end = found.index + found[0].length;
      spans.push({ start: end - (found[1] ?? '').length, end, rule: 'data_url' });
    }
  }
  return spans;
}

/** A dot or an equals sign divides names from values; what lies between is judged. */
function randomParts(whole: string, at: number): Span[] {
  const spans: Span[] = [];
  for (const part of allMatches(whole, /[^.=]+=*/g)) {
    if (looksRandom(part[0])) spans.push({ start: at + part.index, end: at + part.index + part[0].length, rule: 'high_entropy' });
  }
  return spans;
}
