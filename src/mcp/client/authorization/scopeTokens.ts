/** More scopes than this are not asked for; whoever names more is not taken at their word. */
const mostScopes = 100;

/** RFC 6749 §3.3: printable ASCII without space, quote and backslash. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** The scopes of a list that can be asked for, each once; others are passed over. */
export function usableScopes(list: readonly string[]): readonly string[] {
  return [...new Set(list.filter((scope) => scopeToken.test(scope)))].slice(0, mostScopes);
}

/** The scopes in a text in which spaces divide them, as OAuth writes them. */
export function scopesIn(text: string): readonly string[] {
  return usableScopes(text.split(' '));
}
