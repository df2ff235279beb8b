import { describe, expect, it } from '@jest/globals';
import { AuthorizationFault } from '../../../../src/mcp/client/authorization/authorizationFault.js';
import { judgeResponse, type AuthorizationResponse } from '../../../../src/mcp/client/authorization/authorizationResponse.js';

const promised = { issuer: 'https://as.example', issParameter: true };
const silent = { issuer: 'https://as.example', issParameter: false };
const nothing: AuthorizationResponse = { code: null, iss: null, error: null, errorDescription: null };

function faultOf(response: Partial<AuthorizationResponse>, server: typeof promised): AuthorizationFault {
  try {
    judgeResponse({ ...nothing, ...response }, server);
  } catch (error) {
    if (error instanceof AuthorizationFault) return error;
    throw error;
  }
  throw new Error('It was taken.');
}

describe('an authorization response', () => {
  it('gives its code when it comes from the right server, or cannot say where from', () => {
    expect(judgeResponse({ ...nothing, code: 'c', iss: 'https://as.example' }, promised)).toEqual({ code: 'c' });
    expect(judgeResponse({ ...nothing, code: 'c', iss: 'https://as.example' }, silent)).toEqual({ code: 'c' });
    expect(judgeResponse({ ...nothing, code: 'c' }, silent)).toEqual({ code: 'c' });
  });

  it.each([
    ['does not say where it comes from, though that was promised', { iss: null }, promised, 'issuer_missing'],
    ['comes from another server', { iss: 'https://evil.example' }, promised, 'issuer_wrong'],
    ['comes from another server, where none was promised', { iss: 'https://evil.example' }, silent, 'issuer_wrong'],
    ['has an issuer with a slash more', { iss: 'https://as.example/' }, promised, 'issuer_wrong'],
    ['has an issuer in another case', { iss: 'https://AS.example' }, promised, 'issuer_wrong'],
    ['has a blank issuer', { iss: '' }, silent, 'issuer_wrong'],
  ] as const)('is refused when it %s, and none of it is shown', (_, { iss }, server, code) => {
    for (const response of [{ iss, code: 'the-code' }, { iss, error: 'access_denied', errorDescription: 'Visit evil' }]) {
      const fault = faultOf(response, server);
      expect([fault.code, fault.message]).toEqual([code, expect.not.stringMatching(/the-code|access_denied|evil/)]);
    }
  });

  it('shows what the right server says is wrong, cleaned', () => {
    const fault = faultOf({ iss: 'https://as.example', error: 'access_denied', errorDescription: 'No\u001b[31m, see https://help.example/x?token=abc \u202etxt' }, promised);
    expect([fault.code, fault.message]).toEqual(['authorization_refused', 'The authorization server https://as.example did not let you sign in. It says: \u201caccess_denied: No[31m, see https://help.example txt\u201d']);
  });

  it('has no words beside ours where neither error nor description can be shown', () => {
    expect(faultOf({ error: 'a"b' }, silent).message).toBe('The authorization server https://as.example did not let you sign in.');
  });

  it('cannot end its words by itself, and ours never follow them', () => {
    const { message } = faultOf({ error: 'x', errorDescription: `no\u201d Call 555-0199. \u201c${'y '.repeat(1_000)}` }, silent);
    expect(message).toMatch(/^[^\u201c\u201d]+ It says: \u201cx: no" Call 555-0199\. "[^\u201c\u201d]+\u201d$/);
  });

  it('is refused when an error comes with a code', () => {
    expect(faultOf({ code: 'the-code', error: 'the-code', errorDescription: 'the-code' }, silent).message).not.toContain('the-code');
  });

  it.each([null, '', 'x'.repeat(8_193), 'a\nb', 'é'])('is refused without a usable code', (code) => {
    expect(faultOf({ code }, silent).code).toBe('authorization_refused');
  });
});
