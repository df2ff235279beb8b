const allowed = /^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/;

/**
 * The name a server gets from what somebody typed: trimmed, and each run of white space becomes one `-`.
 * @returns null when the rest is not 1 to 32 of `A-Za-z0-9-` starting with a letter or digit
 */
export function mcpServerNameOf(typed: string): string | null {
  const name = typed.trim().replace(/\s+/gu, '-');
  return allowed.test(name) ? name : null;
}

/** Names that differ only in case are the same name. */
export function isSameServerName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
