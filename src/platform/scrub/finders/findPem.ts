import type { Span } from '../text/span.js';

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** What a key cut off before its END line still shows: base64 lines, header lines, line breaks in any notation. */
const body = /(?:(?:\s|\\[nrt])+|[A-Za-z-]{3,20}: [^\n\\]{1,100}|[A-Za-z0-9+/=]{16,80}){1,4096}(?:(?:\s|\\[nrt]){0,4}[A-Za-z0-9+/=]{1,80})?/y;
/** Longer than any private key in use. */
const maxPemChars = 32 * 1024;

/** Private keys in PEM: over many lines, on one line, with written-out `\n`, and cut off before the END line. */
export function findPem(text: string): Span[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const spans: Span[] = [];
  let nextEnd = { start: -1, end: -1 };
  begin.lastIndex = 0;
  for (let head = begin.exec(text); head !== null; head = begin.exec(text)) {
    const bodyStart = head.index + head[0].length;
    // The end lines are looked for once, not once for each beginning: many beginnings stay linear.
    if (nextEnd.start < bodyStart) nextEnd = endAfter(text, bodyStart);
    const closed = nextEnd.start - bodyStart <= maxPemChars;
    const stop = closed ? nextEnd.end : bodyEnd(text, bodyStart);
    spans.push({ start: head.index, end: stop, rule: 'pem' });
    begin.lastIndex = stop;
  }
  return spans;
}

function endAfter(text: string, from: number): { start: number; end: number } {
  end.lastIndex = from;
  const found = end.exec(text);
  return found === null ? { start: Infinity, end: Infinity } : { start: found.index, end: end.lastIndex };
}

function bodyEnd(text: string, from: number): number {
  body.lastIndex = from;
  return body.test(text) ? body.lastIndex : from;
}
