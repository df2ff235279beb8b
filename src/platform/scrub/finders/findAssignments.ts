import { allMatches } from '../text/allMatches.js';
import { isMarker } from '../marker.js';
import { secretNameBefore } from './secretNameBefore.js';
import { isPasswordName, isSecretName } from '../secretNames.js';
import { isPlainValue, type ValueContext } from './plainValue.js';
import type { Span } from '../text/span.js';

/** Where a name ends and its value begins. */
const separator = /\s{0,3}(?:=>|:=|[:=\uff1a\uff1d](?![:=/~>]))[ \t]{0,16}(?:\r?\n[ \t]{0,16}(?=["'`]))?/g;
const flag = /(?<=(?:^|[\s"'`,[])-{1,2})([A-Za-z][\w-]{1,40})(?:[ \t]{1,4}|["'`],?\s{0,4}["'`])(?!-)/g;
const xmlElement = /<([A-Za-z][\w:.-]{0,63})(?:\s[^<>]{0,200})?>([^<>]{1,2048})<\//g;
const namedPair = /\bname\s{0,2}=\s{0,2}["']([\w.-]{1,64})["'](?:\s{1,4}value\s{0,2}=\s{0,2}["']([^"'<>]{1,1024})["']|\r?\n\r?\n([^\r\n]{1,1024}))/gi;

const eastAsian = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;

/** Values longer than this are taken as they are, without asking whether they are code: work stays bounded. */
const maxJudgedChars = 512;

/** Values of `name: value`, `name=value`, `"name": "value"`, `--name value` and `<name>value</name>` whose name says secret. */
export function findAssignments(text: string): Span[] {
  const spans: Span[] = [];
  separator.lastIndex = 0;
  for (let found = separator.exec(text); found !== null; found = separator.exec(text)) {
    const name = secretNameBefore(text, found.index);
    const span = name === null ? null : valueAt(text, separator.lastIndex, { ...name, spaced: /^\s.*\s$/s.test(found[0]), equals: found[0].includes('=') });
    if (span === null) continue;
    spans.push(span);
    separator.lastIndex = span.end;
  }
  return [...spans, ...flags(text), ...pairs(text, xmlElement, '<'), ...pairs(text, namedPair, 'name')];
}

function valueAt(text: string, at: number, context: ValueContext): Span | null {
  const quote = text.charAt(at);
  if (/["'`「『“]/.test(quote)) return quotedValue(text, at, quote, context);
  if (context.quotedName && /[[{]/.test(quote)) return bracketValue(text, at, quote);
  const stop = context.equals ? /[\s"'`&;<>]/g : /[\s"'`<>]/g;
  const start = at;
  stop.lastIndex = at;
  let end = stop.exec(text)?.index ?? text.length;
  if (end - start <= maxJudgedChars) {
    end = trimmedEnd(text, start, end, context);
    if (end <= start || isPlainValue(text.slice(start, end), text.slice(end, end + 2), context)) return null;
  }
  return { start, end: wholeLine(text, start, end, context), rule: 'assignment' };
}

/** Closing brackets and punctuation behind a value belong to the sentence or the code around it. */
function trimmedEnd(text: string, start: number, end: number, context: ValueContext): number {
  const value = text.slice(start, end);
  // Chinese, Japanese and Korean prose goes on without a space; the secret is the part in Latin letters.
  const kept = eastAsian.test(context.name) ? (/^[\x21-\x7e]+/.exec(value)?.[0] ?? '') : value;
  return start + kept.replace(/[,;:.)}\]。、，；：）」』]{1,8}$/, '').length;
}

/** A pass phrase of several words: `password: ` at the beginning of a line owns the line. */
function wholeLine(text: string, start: number, end: number, context: ValueContext): number {
  if (!context.password || context.equals || context.quotedName) return end;
  const rest = /^(?: [a-z]{1,20}){2,12}(?=$|\r?\n)/.exec(text.slice(end, end + 256));
  return rest === null || /\s/.test(text.slice(start, end)) ? end : end + rest[0].length;
}

const closing: { readonly [open: string]: string } = { '「': '」', '『': '』', '“': '”' };

function quotedValue(text: string, at: number, quote: string, context: ValueContext): Span | null {
  const close = closing[quote] ?? quote;
  const start = at + (text.startsWith(quote.repeat(3), at) ? 3 : 1);
  // The quote closes what it seems to open: `ask('Token: ')`, or a name in a sentence about it.
  if (!context.quotedName && /[\s),;\]]/.test(text.charAt(start))) return null;
  let end = start;
  while (end < text.length && text[end] !== close) end += text[end] === '\\' ? 2 : 1;
  end = Math.min(end, text.length);
  if (end === start) return null;
  if (end - start <= maxJudgedChars && isPlainValue(text.slice(start, end), quote, context)) return null;
  return { start, end, rule: 'assignment' };
}

/** A list or object as the value of a quoted name, in JSON that is part of a longer text. */
function bracketValue(text: string, at: number, open: string): Span | null {
  const close = open === '[' ? ']' : '}';
  let depth = 0;
  for (let end = at; end < text.length; end++) {
    if (text[end] === open) depth++;
    else if (text[end] === close && --depth === 0) return end - at <= 1 || isMarker(text.slice(at, end + 1)) ? null : { start: at, end: end + 1, rule: 'assignment' };
  }
  return { start: at, end: text.length, rule: 'assignment' };
}

function flags(text: string): Span[] {
  if (!text.includes('-')) return [];
  const spans: Span[] = [];
  for (const found of allMatches(text, flag)) {
    const name = found[1] ?? '';
    if (!isSecretName(name)) continue;
    const start = found.index + found[0].length;
    const value = /^[^\s"'`]{1,4096}/.exec(text.slice(start, start + 4096))?.[0];
    const context = { name, password: true, quotedName: false, spaced: false, equals: true };
    if (value !== undefined && !isPlainValue(value, '', context)) spans.push({ start, end: start + value.length, rule: 'assignment' });
  }
  return spans;
}

function pairs(text: string, shape: RegExp, needed: string): Span[] {
  if (!text.includes(needed)) return [];
  const spans: Span[] = [];
  for (const found of allMatches(text, shape)) {
    const [whole, name = '', first, second] = found;
    const value = first ?? second;
    if (value === undefined || !isSecretName(name)) continue;
    const start = found.index + whole.lastIndexOf(value);
    const context = { name, password: isPasswordName(name), quotedName: true, spaced: false, equals: true };
    if (!isPlainValue(value, '"', context)) spans.push({ start, end: start + value.length, rule: 'assignment' });
  }
  return spans;
}
