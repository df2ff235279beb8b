/** An id and a secret as one word, which names a sign-in and proves that one was told of it. */
export function wordOf(signInId: string, secret: string): string {
  return `${signInId}.${secret}`;
}

/** Takes such a word apart; null when it is none. */
export function partsOf(word: string): { readonly signInId: string; readonly secret: string } | null {
  const parts = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/.exec(word);
  return parts?.[1] === undefined || parts[2] === undefined ? null : { signInId: parts[1], secret: parts[2] };
}

/** The cookie by which the browser of a sign-in is known again: one for each, so that two in one browser do not meet. */
export function cookieNameOf(signInId: string): string {
  return `toolledger-signin-${signInId}`;
}
