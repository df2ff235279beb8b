import { Fault } from '../../../platform/fault.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { neededField, optionalField } from './fieldForms.js';
import type { ReturnedAnswer } from '../oauthPages.js';

const mostOfDescription = 500;

/**
 * What an authorization response holds (RFC 6749 §4.1.2, RFC 9207 §2); the page sends the same fields on. Others are
 * passed over, as §4.1.2 says.
 * @throws Fault usage `malformed_request`
 */
export function returnedFields(fields: ReadonlyMap<string, string>): Omit<ReturnedAnswer, 'cookie'> {
  const code = optionalField('code', fields.get('code'));
  const error = optionalField('error', fields.get('error'));
  if ((code === null) === (error === null)) {
    throw new Fault('usage', 'malformed_request', 'The authorization server sent neither a code nor an error, or both. Begin again with `toolledger mcp sign-in`; if that happens again, the people who run it have to look into it.');
  }
  return {
    state: neededField('state', fields.get('state')),
    code,
    iss: optionalField('iss', fields.get('iss')),
    error,
    errorDescription: oneLine(fields.get('error_description') ?? ''),
  };
}

/** Servers put lines and whole reports into it; that is no reason to refuse the error itself. */
function oneLine(text: string): string | null {
  const line = terminalSafe(text.replace(/\s+/g, ' ').trim());
  return line === '' ? null : Array.from(line).slice(0, mostOfDescription).join('');
}
