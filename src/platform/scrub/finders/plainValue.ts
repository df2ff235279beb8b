import { isMarker } from '../marker.js';

/** How a value stands behind its name. */
export interface ValueContext {
  readonly name: string;
  /** The name means a password, for which also a plain word is believed. */
  readonly password: boolean;
  readonly quotedName: boolean;
  /** The separator has space on both sides, as program code is written. */
  readonly spaced: boolean;
  readonly equals: boolean;
}

const placeholder =
  /^(?:["'`]{0,2}|\*{1,128}|[xX]{3,64}|[.…_-]{1,64}|<[^>]{0,64}>?|\$[\w.:-]{1,64}|\$\{.{0,512}|\/[\^([\\].{0,512}|\$\([^)]{0,64}\)?|\{{1,2}[^}]{0,64}\}{0,2}|%[\w]{1,64}%?|#\{[^}]{0,64}\}|\[[\w\s.-]{0,24}\]?|\(.{0,512}|\d{1,3})$/;
const literal =
  /^(?:null|none|nil|true|false|undefined|string|str|number|boolean|bool|int|integer|float|any|unknown|never|object|void|text|varchar|char|bytes|buffer|uint8array|required|optional|yes|no|on|off|empty|unset|missing|hidden|redacted|removed|changeme|todo|tbd|n\/a|self|this|ref|default|invalid|expired|wrong|incorrect|new|await|async|function|typeof|import|require|return|readonly|keyof|type|if|else|not|the|a|an|and|or|to|is|in|z|t|s)(?:\[\]|\?|\|.{0,64})?$/i;
/** `getToken(…`, `config.password`, `process.env.X`, `a[0]`, `Map<…`, `token}` are program code. */
const code = /^[&*!@-]?[A-Za-z_$][\w$]{0,64}(?:(?:\?{0,1}\.|->|::)[A-Za-z_$][\w$]{0,64}){0,8}[([<|].{0,512}$|^[A-Za-z_$][\w$]{0,64}(?:(?:\?{0,1}\.|->|::)[A-Za-z_$][\w$]{0,64}){1,8}[;,)!]{0,2}$/s;
const word = /^[\p{L}_$][\p{L}\p{M}_$-]{0,63}$/u;
const secretStem = /pass|pwd|token|secret|cred|auth|key|cookie|session|jwt/i;

/**
 * Whether a value behind a secret name is plainly not the secret itself: nothing, a placeholder, the name of a type,
 * a reference in program code, a count.
 * @param after what follows the value in the text, or its closing quote
 */
export function isPlainValue(value: string, after: string, context: ValueContext): boolean {
  // Trimming may have taken the closing bracket of a marker for one of the text around it.
  if (isMarker(value) || isMarker(`${value}]`)) return true;
  const quoted = after.length === 1 && /["'`」』”「『“]/.test(after);
  if (quoted) return isPlainQuoted(value, context);
  if (placeholder.test(value) || literal.test(value) || code.test(value)) return true;
  if (!word.test(value)) return !context.password && !hasDigitAndLetter(value) && value.length < 16;
  if (secretStem.test(value)) return true;
  if (context.spaced && context.equals) return true;
  if (context.password) return /^[;,)]/.test(after) && context.equals && context.spaced;
  return !(context.equals && /^[A-Z][A-Z0-9_]+$/.test(context.name));
}

function isPlainQuoted(value: string, context: ValueContext): boolean {
  if (/^(?:\s*|\*{1,128}|[xX]{3,64}|\.{3}|…|<[^>]{1,64}>|\$\{[^}]{1,128}\}|\{{1,2}[\w.\s]{1,64}\}{1,2}|%\w{1,64}%)$/.test(value)) return true;
  // A label or a sentence about the password, as programs and their translations hold them.
  if (/\s/.test(value) && secretStem.test(value) && !/\d/.test(value)) return true;
  if (context.password) return literal.test(value) && !/^(?:changeme|default)$/i.test(value);
  return /^(?:[a-z][a-z.-]{0,15}|[A-Z]{1,24}(?:_[A-Z]{1,24}){0,6})$/i.test(value) || literal.test(value);
}

function hasDigitAndLetter(value: string): boolean {
  return value.length >= 6 && /\d/.test(value) && (/\p{L}/u.test(value) || /^\d{6,}$/.test(value));
}
