import { Fault } from '../../../platform/fault.js';

const most = 50;

/**
 * Reads `application/x-www-form-urlencoded`, of a query or a body, and takes no guess: broken percent-encoding, bytes
 * that are no UTF-8 and NUL are refused, and so is a name that occurs twice (RFC 6749 §3.1), because who reads the
 * first and who reads the last would see different requests.
 * @throws Fault usage `malformed_request`; the message holds nothing of the text
 */
export function formFields(text: string): ReadonlyMap<string, string> {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > most) throw malformed(`has more than ${most} fields`);
  const fields = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = decoded(at === -1 ? pair : pair.slice(0, at));
    if (fields.has(name)) throw malformed('has the same field twice');
    fields.set(name, at === -1 ? '' : decoded(pair.slice(at + 1)));
  }
  return fields;
}

function decoded(text: string): string {
  const value = percentDecoded(text.replaceAll('+', ' '));
  if (value.includes('\0')) throw malformed('holds a NUL character');
  return value;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed('is not percent-encoded UTF-8');
  }
}

function malformed(what: string): Fault {
  return new Fault('usage', 'malformed_request', `The request ${what}, so it is not used. Go back to the page before, or begin again with \`toolledger mcp sign-in\`.`);
}
