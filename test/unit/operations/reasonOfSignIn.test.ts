import { expect, it } from '@jest/globals';
import type { AuthorizationFaultCode } from '../../../src/mcp/client/authorization/authorizationFault.js';
import { reasonOfSignIn } from '../../../src/operations/servers/signIn/reasonOfSignIn.js';

/** Complete: the compiler misses those that are not here. */
const faults: { readonly [code in AuthorizationFaultCode]: true } = {
  sign_in_not_needed: true, server_unreachable: true, no_resource_metadata: true, resource_mismatch: true, no_authorization_server: true, metadata_unusable: true,
  issuer_mismatch: true, pkce_unsupported: true, blocked_address: true, response_too_large: true, authorization_server_unreachable: true, registration_unsupported: true,
  registration_refused: true, invalid_client: true, invalid_grant: true, invalid_scope: true, invalid_target: true, token_refused: true, token_lost: true, token_unusable: true,
  issuer_missing: true, issuer_wrong: true, authorization_refused: true,
};

it.each(Object.keys(faults))('%s has words', (code) => {
  expect(reasonOfSignIn(code)).toMatch(new RegExp(`^.+ \\(${code}\\)$`));
});

it('a code of another version stands for itself', () => {
  expect(reasonOfSignIn('something_new')).toBe('something_new');
});
