import { Fault } from '../../../platform/fault.js';

/** What our own random values may look like. */
const ours = /^[A-Za-z0-9._~-]{1,256}$/;

/**
 * What each value may be: ours, or by RFC 6749 appendix A (code, error) and RFC 9207 (iss, a URL). With their
 * percent-encoding all of them fit one form.
 */
const forms = {
  link: ours,
  csrf: ours,
  page: ours,
  state: ours,
  code: /^[\x20-\x7e]{1,4096}$/,
  iss: /^[\x21-\x7e]{1,1024}$/,
  error: /^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,256}$/,
};

/** A value that a request may carry. */
export type FieldName = keyof typeof forms;

/**
 * The value in its form, or null when there is none; an empty one is none (RFC 6749 §3.1).
 * @throws Fault usage `malformed_request`; the message does not hold the value
 */
export function optionalField(name: FieldName, value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  if (forms[name].test(value)) return value;
  throw new Fault('usage', 'malformed_request', `The value of "${name}" is too long or holds characters that it cannot have. Open the link again exactly as it was given to you, or begin again with \`toolledger mcp sign-in\`.`);
}

/** As `optionalField`, of a value that is needed. */
export function neededField(name: FieldName, value: string | undefined): string {
  const field = optionalField(name, value);
  if (field !== null) return field;
  throw new Fault('usage', 'malformed_request', `The request has no "${name}". Begin again with \`toolledger mcp sign-in\`.`);
}
