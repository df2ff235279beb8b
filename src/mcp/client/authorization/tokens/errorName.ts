/** RFC 6749 §5.2: printable ASCII without quote and backslash. */
const usable = /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,100}$/;

/**
 * An OAuth error code as a server wrote it. One that is none is left out whole: cut in the middle it could hold half a
 * secret, which nothing recognises any more.
 */
export function errorName(given: string): string | null {
  return usable.test(given) ? given : null;
}
