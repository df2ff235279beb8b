/** A line of a stack trace. */
const stackLine = /^\s+at .*(?:file:|node:|\.js:|\.ts:|<anonymous>)/m;

/** Everything that steers a terminal or hides in text; a line feed is the one control character a program may print. */
const steering = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The first stack trace line in what a program printed, or null. */
export function stackTraceIn(printed: string): string | null {
  return stackLine.exec(printed)?.[0] ?? null;
}

/** The first character that must never reach a terminal raw, with what stands around it, or null. */
export function steeringIn(printed: string): string | null {
  const found = steering.exec(printed);
  return found === null ? null : JSON.stringify(printed.slice(Math.max(0, found.index - 40), found.index + 40));
}
