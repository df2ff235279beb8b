import { allMatches } from '../text/allMatches.js';
import { isMarker } from '../marker.js';
import { isSecretName } from '../secretNames.js';
import type { Span } from '../text/span.js';

/** `scheme://user:password@`; drivers of databases and brokers also take passwords with `/`, `?`, `#` and `@` in them. */
const userinfo = /(?<=[a-z][a-z0-9+.-]{1,30}:\/\/)[^\s/?#"'`<>\\]{1,2048}@/gi;
const looseUserinfo =
  /(?<=\b(?:postgres|postgresql|mysql|mysqlx|mariadb|mongodb|mongodb\+srv|redis|rediss|valkey|amqp|amqps|mqtt|mqtts|mssql|sqlserver|cockroachdb|clickhouse|oracle|nats|kafka|ldap|ldaps|smtp|smtps|imap|imaps|ftp|ftps|sftp|couchbase|neo4j|bolt|cassandra|elasticsearch|jdbc:[a-z]{1,20})(?:\+[a-z0-9_]{1,20})?:\/\/)[^\s"'`<>]{1,2048}@/gi;
/** Go's `user:password@tcp(host)`. */
const goDsn = /(?<![^\s"'`=])[^\s"'`@:/]{1,64}:[^\s"'`]{1,256}@(?=(?:tcp|unix)\()/g;
const pair = /[?&#;]([^=&#;?\s"'`<>[\]]{1,64})=([^&#;\s"'`<>]{1,65536})/g;

/** Query names that carry a secret in a URL only; elsewhere they are ordinary words. */
const urlNames = /^(?:key|sig|signature|x-(?:amz|goog|oss|cos|tc|ms)-(?:signature|credential|security-token)|ticket|assertion|saml(?:request|response)|hmac|awsaccesskeyid|googleaccessid|session|s?id_token|user_?key|app_?id_?key|auth_code|device_code|code_verifier)$/i;
/** Names that do so only when the value is long: `?code=US` is a country. */
const longUrlNames = /^(?:code|state|nonce|invite_code|hash|h|t|k|s|hm|access|verify|reset|magic|otp|confirm(?:ation)?)$/i;
const longValue = 20;

/** Credentials and tokens in URLs: user information, query and fragment parameters. */
export function findUrlSecrets(text: string): Span[] {
  const spans: Span[] = [];
  if (text.includes('@')) {
    for (const shape of text.includes('://') ? [userinfo, looseUserinfo, goDsn] : [goDsn]) {
      for (const { 0: whole, index } of allMatches(text, shape)) {
        if (isCredential(whole.slice(0, -1))) spans.push({ start: index, end: index + whole.length - 1, rule: 'url_userinfo' });
      }
    }
  }
  if (text.includes('=')) spans.push(...secretPairs(text));
  return spans;
}

function secretPairs(text: string): Span[] {
  const spans: Span[] = [];
  for (const found of allMatches(text, pair)) {
    const [whole, name, value] = found;
    if (name === undefined || value === undefined || !isSecretPair(name, value)) continue;
    const end = found.index + whole.length;
    spans.push({ start: end - value.length, end, rule: 'url_parameter' });
  }
  return spans;
}

function isSecretPair(name: string, value: string): boolean {
  if (isMarker(value)) return false;
  // Templates and empty marks show how a URL is built and hold nothing.
  if (/^(?:\$?\{[^}]{0,64}\}?|<.*|\*{1,64}|\.{3}|\d{1,3}|true|false|null)$/.test(value)) return false;
  if (isSecretName(name)) return true;
  if (urlNames.test(name)) return value.length >= 6;
  return longUrlNames.test(name) && value.length >= longValue && /\d/.test(value);
}

/** A bare user name such as `git` is no secret; a user name that looks like a token is. */
function isCredential(userinfoText: string): boolean {
  if (isMarker(userinfoText)) return false;
  if (/^\$?\{[\w.]{1,64}\}(?::\$?\{[\w.]{1,64}\})?$/.test(userinfoText)) return false;
  const colon = userinfoText.indexOf(':');
  if (colon < 0) return userinfoText.length >= 12 && /\d/.test(userinfoText);
  return colon < userinfoText.length - 1;
}
