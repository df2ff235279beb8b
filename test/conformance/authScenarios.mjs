// Scenarios of signing in: all that count for 2025-11-25, and what later revisions ask that holds for this one too. Not among
// them, because here a person signs in or an admin gives a token, and nothing else is offered:
// - client-credentials-jwt, client-credentials-basic (an extension): machines get tokens without anybody who signs in
// - enterprise-managed-authorization (an extension): an employer's identity provider signs in for its people
// - wif-jwt-bearer (an extension): a workload shows who it is in place of a person
// - dpop, dpop-nonce (an extension): tokens are bound to a key; only bearer tokens are taken here
// - 2025-03-26-oauth-metadata-backcompat, 2025-03-26-oauth-endpoint-fallback: a client has to guess where to sign in when a
//   server does not say, and could give somebody's account to whoever answers there

const discovered = ['prm-pathbased-requested', 'authorization-server-metadata'];
const asked = ['authorization-request', 'pkce-code-challenge-sent', 'pkce-s256-method-used'];
const exchanged = ['token-request', 'pkce-code-verifier-sent', 'pkce-verifier-matches-challenge', 'valid-bearer-token'];
const whole = [...discovered, 'client-registration', ...asked, ...exchanged];
const upToAnswer = [...discovered, 'client-registration', ...asked];
const rightResource = ['authorization', 'token'].map((request) => `resource-parameter-in-${request}`).concat('resource-parameter-valid-uri', 'resource-parameter-consistency', 'resource-parameter-matches-prm');

const works = (...checks) => ({ steps: 'signed_in listed called', checks: [...whole, ...checks] });
const refused = (code, check) => ({ steps: code, checks: [...upToAnswer, check] });

/**
 * What has to happen in each. `steps`: how the product fared, as `authClient.mjs` tells it. `checks`: what the suite has to
 * have found right, because one that is about a refusal also passes when the client crashed.
 */
export const authScenarios = {
  'auth/metadata-default': works(...rightResource),
  'auth/metadata-var1': works(...rightResource),
  'auth/metadata-var2': works(...rightResource),
  'auth/metadata-var3': works(...rightResource),
  'auth/basic-cimd': {
    steps: 'signed_in listed called',
    checks: [...discovered, ...asked, ...exchanged, 'cimd-client-id-used'],
    metadataDocument: 'https://conformance-test.local/client-metadata.json',
  },
  'auth/scope-from-www-authenticate': works('scope-from-www-authenticate'),
  'auth/scope-from-scopes-supported': works('scope-from-scopes-supported'),
  'auth/scope-omitted-when-undefined': works('scope-omitted-when-undefined'),
  'auth/scope-step-up': {
    steps: 'signed_in listed needs_reauthorization signed_in listed called',
    checks: [...whole, 'scope-step-up-initial', 'scope-step-up-escalation'],
  },
  'auth/scope-retry-limit': {
    // Each sign-in says at once that the server wants more.
    steps: 'needs_reauthorization needs_reauthorization',
    checks: [...upToAnswer, 'token-request', 'scope-retry-limit'],
  },
  'auth/token-endpoint-auth-basic': works('token-endpoint-auth-method', ...rightResource),
  'auth/token-endpoint-auth-post': works('token-endpoint-auth-method', ...rightResource),
  'auth/token-endpoint-auth-none': works('token-endpoint-auth-method', ...rightResource),
  'auth/pre-registration': { steps: 'signed_in listed called', checks: [...discovered, ...asked, ...exchanged, 'pre-registration-auth'] },
  'auth/resource-mismatch': { steps: 'resource_mismatch', checks: ['prm-pathbased-requested', 'resource-mismatch-rejected'] },
  'auth/offline-access-scope': works('sep-2207-client-metadata-grant-types', 'sep-2207-offline-access-requested'),
  'auth/offline-access-not-supported': works('sep-2207-offline-access-not-requested'),
  'auth/authorization-server-migration': {
    steps: 'signed_in listed needs_reauthorization signed_in listed called',
    checks: [...whole, 'sep-2352-reregister-on-as-change', 'sep-2352-no-reuse-on-as-change', 'sep-2352-no-cross-as-credential-reuse'],
  },
  'auth/iss-supported': works('sep-2468-client-compare-iss-supported'),
  'auth/iss-not-advertised': works('sep-2468-client-proceed-no-iss'),
  'auth/iss-supported-missing': refused('issuer_missing', 'sep-2468-client-reject-missing-iss'),
  'auth/iss-wrong-issuer': refused('issuer_wrong', 'sep-2468-client-compare-iss-supported'),
  'auth/iss-unexpected': refused('issuer_wrong', 'sep-2468-client-compare-iss-unadvertised'),
  'auth/iss-normalized': refused('issuer_wrong', 'sep-2468-client-no-normalization'),
  'auth/metadata-issuer-mismatch': { steps: 'issuer_mismatch', checks: [...discovered, 'sep-2468-client-validate-metadata-issuer'] },
};
