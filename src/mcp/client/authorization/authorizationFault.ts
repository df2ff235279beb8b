import { netFaultIn } from '../../../platform/net/netFault.js';
import { safeMessage } from '../failures/safeMessage.js';

/** Why signing in at a server, or getting a token for it, did not work. */
export type AuthorizationFaultCode =
  /** The server answered without asking for a sign-in, and offers none. */
  | 'sign_in_not_needed'
  | 'server_unreachable'
  | 'no_resource_metadata'
  | 'resource_mismatch'
  | 'no_authorization_server'
  | 'metadata_unusable'
  | 'issuer_mismatch'
  | 'pkce_unsupported'
  /** A URL that the server named may not be reached. */
  | 'blocked_address'
  | 'response_too_large'
  | 'authorization_server_unreachable'
  | 'registration_unsupported'
  | 'registration_refused'
  /** The authorization server forgot us, or our secret is wrong. */
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  /** Any other OAuth error of the token endpoint. */
  | 'token_refused'
  /** The request was sent and no usable answer came: what it asked for may have happened. */
  | 'token_lost'
  /** The answer holds no bearer token, or one that cannot be sent. */
  | 'token_unusable'
  /** RFC 9207: the `iss` that was promised is not there. */
  | 'issuer_missing'
  /** RFC 9207: the answer comes from another authorization server. */
  | 'issuer_wrong'
  /** The authorization server, or who signs in there, said no. */
  | 'authorization_refused';

/**
 * Thrown by everything that talks to authorization servers. The message is safe to show and to log, whatever a server
 * said: cleaned, scrubbed, URLs reduced to their origins, at most 500 characters. It has no cause, because a cause may
 * hold a code or a token.
 */
export class AuthorizationFault extends Error {
  override readonly name = 'AuthorizationFault';

  /**
   * @param text may hold a server's own words
   * @param secrets values in use that a server may have echoed
   */
  constructor(
    readonly code: AuthorizationFaultCode,
    text: string,
    secrets: readonly string[] = [],
  ) {
    super(safeMessage(text, secrets));
  }
}

/**
 * Says what it means that a request did not get a response.
 * @param unreachable the code when nothing was there to answer
 * @param subject who was asked, as a sentence begins: `The authorization server https://as.example`
 * @returns an AuthorizationFault; what is no failure of the network is given back as it is
 */
export function faultOfNetwork(error: unknown, unreachable: AuthorizationFaultCode, subject: string): unknown {
  const net = netFaultIn(error);
  if (net === null) return error;
  return new AuthorizationFault(codeOfNetwork(net.code) ?? unreachable, `${subject}: ${net.message}`);
}

function codeOfNetwork(code: string): AuthorizationFaultCode | null {
  switch (code) {
    case 'blocked_address':
    case 'invalid_url':
      return 'blocked_address';
    case 'redirect_refused':
      return 'metadata_unusable';
    case 'response_too_large':
      return 'response_too_large';
    default:
      return null;
  }
}
