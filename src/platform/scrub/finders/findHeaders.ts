import { allMatches } from '../text/allMatches.js';
import { isMarker } from '../marker.js';
import type { Span } from '../text/span.js';

const authorization = /\b(?:proxy-)?authorization["'`]?\s{0,4}[:=]\s{0,4}["'`]?(?:(?:bearer|basic|bot|token|apikey|digest|negotiate|aws4-hmac-sha256|hmac|signature)\s{1,4})?([^\r\n"'`]{4,16384})/gi;
const bearer = /\b(?:bearer|bot|token|apikey)\s{1,4}((?=[\w.~+/-]{0,128}\d)[\w.~+/-]{16,16384}={0,2})/gi;
const basic = /\bbasic\s{1,4}([A-Za-z0-9+/_-]{6,4096}={0,2})/gi;
const cookie = /\b(?:set-cookie2?|cookies?)["'`]?\s{0,4}[:=]\s{0,4}["'`]?((?=[^\r\n"'`=]{0,256}=)[^\r\n"'`]{3,16384})/gi;
const curlUser = /(?<=\s)(?:-u|--user|--proxy-user)[\s=]{1,4}["'`]?([^\s"'`:]{1,128}:[^\s"'`]{1,512})/g;
const netrc = /\blogin\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(\S{1,512})/gi;

const hint = /authorization|bearer|basic|cookie|\bbot\s|token\s|apikey\s|-u|--user|login/i;

/** Credentials in the way protocols carry them: `Authorization`, bearer, basic, cookies, curl's `-u`, netrc. */
export function findHeaders(text: string): Span[] {
  if (!hint.test(text)) return [];
  return [
    ...captured(text, authorization, 'authorization', (value) => !isMarker(value.trim()) && !/^(?:\$?\{|<|\*{3}|null|none|undefined|required|optional|string)/i.test(value)),
    ...captured(text, bearer, 'bearer', () => true),
    ...captured(text, basic, 'basic', isBasic),
    ...captured(text, cookie, 'cookie', (value) => /^[^\s=;,(){}]{1,256}=[^=\s>]/.test(value) && !/^(?:\$\{|await|new)/.test(value)),
    ...captured(text, curlUser, 'basic', (value) => !value.startsWith('$') && !isMarker(value)),
    ...captured(text, netrc, 'assignment', (value) => !isMarker(value)),
  ];
}

function captured(text: string, shape: RegExp, rule: string, secret: (value: string) => boolean): Span[] {
  const spans: Span[] = [];
  for (const found of allMatches(text, shape)) {
    const [whole, value] = found;
    if (value === undefined || !secret(value)) continue;
    const end = found.index + whole.length;
    spans.push({ start: end - value.length, end, rule });
  }
  return spans;
}

/** Basic credentials are the base64 of `user:password`; "basic authentication" is not. */
function isBasic(value: string): boolean {
  return /^[^\p{Cc}\ufffd:]{0,256}:[^\p{Cc}\ufffd]*$/u.test(Buffer.from(value, 'base64').toString());
}
