import { allMatches } from './allMatches.js';
import type { Span } from './span.js';
import { tokenRules } from './tokenRules.js';

/** All shapes in one expression: a text is gone through once; ordinary words end at the look-ahead, they are too short. */
const anyToken = new RegExp(`(?<![A-Za-z0-9])(?=[\\w.~/:+$%-]{14})(?:${tokenRules.map(({ shape }) => `(${shape})`).join('|')})`, 'g');

/** Secrets known by their own shape; see `tokenRules`. */
export function findTokens(text: string): Span[] {
  if (text.length < 14) return [];
  const spans: Span[] = [];
  for (const found of allMatches(text, anyToken)) {
    const which = found.findIndex((group, index) => index > 0 && (group as string | undefined) !== undefined);
    const rule = tokenRules[which - 1]?.rule ?? 'token';
    spans.push({ start: found.index, end: found.index + found[0].length, rule });
  }
  return spans;
}
