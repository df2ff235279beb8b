import { tokenRules } from './finders/tokenRules.js';

/** Every rule that this room fires, beside those of `tokenRules`. */
const otherRules = [
  'pem', 'url_userinfo', 'url_parameter', 'authorization', 'bearer', 'basic', 'cookie', 'assignment', 'stated', 'high_entropy', 'data_url',
  'named', 'server_secret', 'too_large', 'too_deep',
];
const known = new Set([...otherRules, ...tokenRules.map(({ rule }) => rule)]);

/** What stands in the place of something removed. */
export function marker(rule: string): string {
  return `[redacted:${rule}]`;
}

/** Whether a text is a marker of a rule of ours and nothing else; what only looks like one may hold a secret. */
export function isMarker(text: string): boolean {
  return text.startsWith('[redacted:') && text.endsWith(']') && known.has(text.slice('[redacted:'.length, -1));
}
