/** A stretch of text that a rule wants removed: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

/**
 * Puts spans in order and joins those that overlap, so that no secret survives between two rules; the one that
 * starts first, or is longer, names the joined span.
 */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const joined: Span[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last === undefined || span.start >= last.end) joined.push(span);
    else if (span.end > last.end) joined[joined.length - 1] = { ...last, end: span.end };
  }
  return joined;
}
