import type { Span } from '../text/span.js';
import { tokenRules } from './tokenRules.js';

/** All shapes in one expression: a text is gone through once; ordinary words end at the look-ahead, they are too short. */
const anyToken = new RegExp(`(?<![A-Za-z0-9])(?=[\\w.~/:+$%-]{14})(?:${tokenRules.map(({ shape }) => `(${shape})`).join('|')})`, 'g');

/** What goes on behind a shape belongs to it: issuers lengthen their tokens, and a tail left over would be half a secret. */
const tail = /[\w-]{0,300000}/y;

/** Secrets known by their own shape; see `tokenRules`. */
export function findTokens(text: string): Span[] {
  if (text.length < 14) return [];
  const spans: Span[] = [];
  anyToken.lastIndex = 0;
  for (let found = anyToken.exec(text); found !== null; found = anyToken.exec(text)) {
    const which = found.findIndex((group, index) => index > 0 && (group as string | undefined) !== undefined);
    tail.lastIndex = anyToken.lastIndex;
    tail.exec(text);
    spans.push({ start: found.index, end: tail.lastIndex, rule: tokenRules[which - 1]?.rule ?? 'token' });
    anyToken.lastIndex = tail.lastIndex;
  }
  return spans;
}
