import { AuthorizationFault } from './authorizationFault.js';
import type { AuthorizationServer } from './discovery/authorizationServer.js';
import { errorName } from './tokens/errorName.js';
import { errorWords } from './tokens/oauthError.js';

/** What the browser brought back from the authorization server. */
export interface AuthorizationResponse {
  readonly code: string | null;
  readonly iss: string | null;
  readonly error: string | null;
  readonly errorDescription: string | null;
}

/** RFC 6749 §A.11: a code is printable ASCII. */
const usableCode = /^[\x20-\x7e]{1,8192}$/;

/**
 * Judges an authorization response: who it comes from first (RFC 9207 §2.4), so that nothing of another's is believed or shown.
 * @param server the one the sign-in began with
 * @throws AuthorizationFault `issuer_missing`, `issuer_wrong` or `authorization_refused`
 */
export function judgeResponse({ code, iss, error, errorDescription }: AuthorizationResponse, server: Pick<AuthorizationServer, 'issuer' | 'issParameter'>): { readonly code: string } {
  const { origin } = new URL(server.issuer);
  if (iss === null && server.issParameter) {
    throw new AuthorizationFault('issuer_missing', `The answer does not say that it comes from ${origin}, which promised to say so. It may come from somebody else, so it was not used. Begin again with \`toolledger mcp sign-in\`.`);
  }
  if (iss !== null && iss !== server.issuer) {
    throw new AuthorizationFault('issuer_wrong', `The answer comes from another authorization server than ${origin}, with which the sign-in began. It was not used. Begin again with \`toolledger mcp sign-in\`.`);
  }
  if (error !== null) {
    const words = errorWords({ error: errorName(error) ?? '', description: errorDescription });
    throw new AuthorizationFault('authorization_refused', `The authorization server ${origin} did not let you sign in.${words}`, code === null ? [] : [code]);
  }
  if (code === null || !usableCode.test(code)) {
    throw new AuthorizationFault('authorization_refused', `The answer of ${origin} holds neither a usable code nor an error. Begin again with \`toolledger mcp sign-in\`; if that happens again, the people who run it have to look into it.`);
  }
  return { code };
}
