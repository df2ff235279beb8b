import { errorName } from '../tokens/errorName.js';
import { scopesIn } from '../scopeTokens.js';

/** One challenge of `WWW-Authenticate` (RFC 9110 §11.6.1). */
export interface Challenge {
  /** In lower case: schemes are compared without regard to it. */
  readonly scheme: string;
  /** Names in lower case; of parameters that are given twice the first. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** What a server says that a request needs (RFC 6750 §3, RFC 9728 §5.1). */
export interface BearerChallenge {
  /** Where the resource says that its metadata lies. */
  readonly resourceMetadata: string | null;
  readonly scopes: readonly string[];
  readonly error: string | null;
}

/** Longest header that is read, in UTF-16 code units; Node takes no more than this either. */
const maxHeaderLength = 16_384;

const blank = /[ \t]*/y;
const separators = /[ \t,]*/y;
const token = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const token68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y;
const equals = /[ \t]*=[ \t]*/y;
const quoted = /"([^"\\]*(?:\\[^][^"\\]*)*)"/y;
/** Servers forget the quotes of a URL; up to the next comma there is only one way to read it. */
const unquoted = /[^\s,"]+/y;
/** Up to the next comma outside of quotes. */
const rubbish = /(?:"[^"\\]*(?:\\[^][^"\\]*)*"|[^",])*/y;

/**
 * Reads all challenges of a header; several headers come joined by commas. What breaks the grammar is passed over up to
 * the next comma, and an open quote ends it all: nothing is guessed. Never throws.
 */
export function parseChallenges(header: string | null): readonly Challenge[] {
  const reader = readerOf((header ?? '').slice(0, maxHeaderLength));
  const challenges: Challenge[] = [];
  for (;;) {
    reader.take(separators);
    if (reader.atEnd()) return challenges;
    const scheme = reader.take(token);
    if (scheme !== null) challenges.push(readChallenge(scheme.toLowerCase(), reader));
    else if (!skipRubbish(reader)) return challenges;
  }
}

/**
 * What the `Bearer` challenges of a header say together; of what is said twice the first counts.
 * @returns null when there is none
 */
export function bearerChallenge(header: string | null): BearerChallenge | null {
  const bearers = parseChallenges(header).filter(({ scheme }) => scheme === 'bearer');
  if (bearers.length === 0) return null;
  const first = (name: string): string | null => bearers.map(({ parameters }) => parameters.get(name)).find((value) => value !== undefined) ?? null;
  return {
    resourceMetadata: first('resource_metadata'),
    scopes: scopesIn(first('scope') ?? ''),
    error: errorName(first('error') ?? ''),
  };
}

interface Reader {
  /** Takes what matches here and gives its first group, or all of it; null when nothing does. */
  take(pattern: RegExp): string | null;
  atEnd(): boolean;
  at(): number;
  backTo(position: number): void;
}

function readerOf(text: string): Reader {
  let position = 0;
  return {
    take(pattern) {
      pattern.lastIndex = position;
      const found = pattern.exec(text);
      if (found === null) return null;
      position += found[0].length;
      return found[1] ?? found[0];
    },
    atEnd: () => position >= text.length,
    at: () => position,
    backTo: (earlier) => (position = earlier),
  };
}

/** What follows a scheme: one token68, which Bearer never has, or parameters until something stands there that is none. */
function readChallenge(scheme: string, reader: Reader): Challenge {
  reader.take(blank);
  const parameters = new Map<string, string>();
  if (reader.take(token68) !== null) return { scheme, parameters };
  for (;;) {
    const before = reader.at();
    reader.take(separators);
    const name = reader.take(token);
    if (name === null || reader.take(equals) === null) {
      // The next scheme, or nothing that could be one.
      reader.backTo(before);
      return { scheme, parameters };
    }
    const value = readValue(reader);
    if (value === null) return { scheme, parameters };
    const key = name.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, value);
    reader.take(rubbish);
  }
}

function readValue(reader: Reader): string | null {
  const inQuotes = reader.take(quoted);
  return inQuotes === null ? reader.take(unquoted) : inQuotes.replace(/\\([^])/g, '$1');
}

/** @returns whether anything was passed over */
function skipRubbish(reader: Reader): boolean {
  const before = reader.at();
  reader.take(rubbish);
  return reader.at() > before;
}
