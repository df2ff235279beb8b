/** Unchanged lines shown before and after a change. */
const context = 1;
/** Comparing all lines with all lines is given up beyond so many pairs. */
const maxPairs = 250_000;
/** What is the same at the beginning of a line of which one piece changed is shown so far. */
const leadIn = 60;

/** The unified diff of two texts, by line and sentence, with one line of context; empty when they are the same. */
export function textLines(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const lines = marked(linesOf(before), linesOf(after));
  const near = (at: number): boolean => lines.slice(Math.max(0, at - context), at + context + 1).some(({ mark }) => mark !== ' ');
  return lines.flatMap(({ mark, text }, at) => (near(at) ? [`${mark} ${text}`] : []));
}

interface Line {
  readonly mark: '-' | '+' | ' ';
  readonly text: string;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/\n|(?<=[.!?;]) +/);
}

function marked(old: readonly string[], now: readonly string[]): readonly Line[] {
  const start = sameAtStart(old, now);
  const end = sameAtStart(old.slice(start).reverse(), now.slice(start).reverse());
  const same = (texts: readonly string[]): Line[] => texts.map((text) => ({ mark: ' ', text }));
  const middle = changed(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [...same(old.slice(0, start)), ...middle, ...same(end === 0 ? [] : old.slice(-end))];
}

function changed(old: readonly string[], now: readonly string[]): readonly Line[] {
  const [onlyOld, onlyNow] = [old[0], now[0]];
  if (old.length === 1 && now.length === 1 && onlyOld !== undefined && onlyNow !== undefined) return oneForOne(onlyOld, onlyNow);
  if (old.length * now.length > maxPairs) return [...old.map((text): Line => ({ mark: '-', text })), ...now.map((text): Line => ({ mark: '+', text }))];
  return byLongestCommon(old, now);
}

/** Of a long line the part in which it changed. */
function oneForOne(old: string, now: string): readonly Line[] {
  const from = Math.max(0, sameAtStart(Array.from(old), Array.from(now)) - leadIn);
  const part = (text: string): string => (from === 0 ? text : `…${Array.from(text).slice(from).join('')}`);
  return [
    { mark: '-', text: part(old) },
    { mark: '+', text: part(now) },
  ];
}

/** The shortest way from one to the other, by the longest common subsequence. */
function byLongestCommon(old: readonly string[], now: readonly string[]): readonly Line[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const length = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row !== undefined) row[j] = old[i] === now[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [from, to] = [old[i], now[j]];
    if (from === undefined && to === undefined) return lines;
    if (from !== undefined && from === to) {
      lines.push({ mark: ' ', text: from });
      i += 1;
      j += 1;
    } else if (from !== undefined && (to === undefined || length(i + 1, j) >= length(i, j + 1))) {
      lines.push({ mark: '-', text: from });
      i += 1;
    } else if (to !== undefined) {
      lines.push({ mark: '+', text: to });
      j += 1;
    }
  }
}

function sameAtStart(one: readonly string[], two: readonly string[]): number {
  const differs = one.findIndex((item, at) => item !== two[at]);
  return differs === -1 ? one.length : differs;
}
