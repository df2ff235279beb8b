/**
 * Every match of a global expression. Unlike `matchAll` it does not copy the expression each time, which is what most
 * of the time would go into: the texts are many and short.
 */
export function allMatches(text: string, shape: RegExp): readonly RegExpExecArray[] {
  shape.lastIndex = 0;
  let found = shape.exec(text);
  if (found === null) return none;
  const matches: RegExpExecArray[] = [];
  for (; found !== null; found = shape.exec(text)) matches.push(found);
  return matches;
}

const none: readonly RegExpExecArray[] = [];
