import type { Hono } from 'hono';
import { clientMetadata } from '../../mcp/client/authorization/clientMetadata.js';
import type { Invocation } from '../../operations/operation.js';
import { runOperation } from '../../operations/runOperation.js';
import type { OwnerServices } from '../../operations/services.js';
import { answeredSignIn } from '../../operations/servers/signIn/answeredSignIn.js';
import { finishSignIn } from '../../operations/servers/signIn/finishSignIn.js';
import { cookieNameOf, partsOf } from '../../operations/servers/signIn/pendingSignIn.js';
import { redirectSignIn } from '../../operations/servers/signIn/redirectSignIn.js';
import { showSignIn } from '../../operations/servers/signIn/showSignIn.js';
import { systemSubject } from '../../events/envelope.js';
import { oauthRoutes } from '../../web/oauth/oauthRoutes.js';
import type { ReturnedAnswer } from '../../web/oauth/oauthPages.js';
import { orFault } from '../storeFault.js';
import { version } from '../version.js';

/** Where what we say of ourselves lies, under the public URL. */
export const metadataPath = '/oauth/client-metadata.json';

interface PageParts {
  readonly services: OwnerServices;
  readonly publicUrl: string | null;
  readonly onInternalError: (error: unknown) => void;
}

/** The pages of sign-ins. Who opens them is nobody: what they know is the link, and the admin who began is in the vault. */
export function signInPages({ services, publicUrl, onInternalError }: PageParts): Hono {
  // A browser that goes away ends nothing: an answer is taken once, and what comes of it is recorded.
  const invocation: Invocation = { caller: { actor: systemSubject, door: 'system', onBehalfOf: null }, signal: new AbortController().signal, progress: () => undefined };
  return oauthRoutes({
    pages: {
      show: (link) => orFault(runOperation(showSignIn, services, { link }, invocation)),
      begin: (input) => orFault(runOperation(redirectSignIn, services, input, invocation)),
      returned: (answer) => orFault(runOperation(answeredSignIn, services, broughtBack(answer), invocation)),
      finish: (answer) => orFault(runOperation(finishSignIn, services, { ...broughtBack(answer), csrf: answer.csrf }, invocation)),
    },
    publicOrigin: publicUrl,
    clientMetadata: publicUrl === null ? null : () => metadata(publicUrl),
    onInternalError,
  });
}

function broughtBack({ state, cookie, code, iss, error, errorDescription }: ReturnedAnswer) {
  const signIn = partsOf(state);
  return { state, cookie: signIn === null ? null : cookie(cookieNameOf(signIn.signInId)), code, iss, error, errorDescription };
}

function metadata(publicUrl: string): unknown {
  return clientMetadata({ clientId: publicUrl + metadataPath, redirectUri: `${publicUrl}/oauth/callback`, scopes: [], authMethod: 'none', version });
}
