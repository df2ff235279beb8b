import { allMatches } from '../text/allMatches.js';
import type { Span } from '../text/span.js';

const spaced = {
  names: 'password|passcode|passphrase|passwd|pwd|(?:api|secret) key|token|secret|pin(?: code)?|passwort|kennwort|schlüssel|contraseña|clave|mot de passe|senha|palavra-passe|chave|비밀번호|암호|패스워드|토큰',
  verbs: 'is now|is|was|will be|ist jetzt|ist|lautet|war|es|era|est|é',
};
const unspaced = {
  names: 'パスワード|パスコード|暗証番号|合言葉|トークン|apiキー|密碼|密码|口令|金鑰|密鑰|權杖|비밀번호|암호|패스워드|토큰|api 키',
  verbs: 'は|が|是|為|为|改成|는|은|이',
};

/** "the password is hunter2", 「パスワードはhunter2です」: a value with a digit or a sign in it, so that prose stays. */
const stated = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(?:${spaced.names})[ \\t]{1,3}(?:${spaced.verbs})[ \\t]{1,3}|(?:${unspaced.names})[ \\t]{0,3}(?:${unspaced.verbs})[ \\t]{0,3})` +
    `["'\`「『“]?((?=[^"',\\s]{0,128}[\\d!@#$%^&*_+=~])(?:(?!["',])[\\x21-\\x7e]){4,128})`,
  'giu',
);
const hint = new RegExp(`${spaced.names}|${unspaced.names}`, 'iu');

/** Secrets told in a sentence, in the languages served. */
export function findStated(text: string): Span[] {
  if (!hint.test(text)) return [];
  const spans: Span[] = [];
  for (const found of allMatches(text, stated)) {
    const value = (found[1] ?? '').replace(/[.,;:!?"'`)\]}]{1,4}$/, '');
    const start = found.index + found[0].length - (found[1] ?? '').length;
    if (value.length >= 4 && isLikely(value)) spans.push({ start, end: start + value.length, rule: 'stated' });
  }
  return spans;
}

function isLikely(value: string): boolean {
  return /[A-Za-z]/.test(value) ? /[\d@#$%^&*+=~!]/.test(value) : /^\d{4,12}$/.test(value);
}
