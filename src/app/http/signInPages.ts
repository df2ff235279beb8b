import type { Hono } from 'hono';
import { clientMetadata } from '../../mcp/client/authorization/client/clientMetadata.js';
import type { Invocation } from '../../operations/operation.js';
import { runOperation } from '../../operations/runOperation.js';
import type { OwnerServices } from '../../operations/services.js';
import { answeredSignIn } from '../../operations/servers/signIn/pages/answeredSignIn.js';
import { finishSignIn } from '../../operations/servers/signIn/pages/finishing/finishSignIn.js';
import { cookieNameOf, partsOf } from '../../operations/servers/signIn/pending/signInWord.js';
import { redirectSignIn } from '../../operations/servers/signIn/pages/redirectSignIn.js';
import { showSignIn } from '../../operations/servers/signIn/pages/showSignIn.js';
import { turnAwayForeign } from '../../operations/servers/signIn/pages/recognising/turnAwayForeign.js';
import { systemSubject } from '../../events/envelope.js';
import { oauthRoutes } from '../../web/oauth/oauthRoutes.js';
import type { CookieOf, ReturnedAnswer } from '../../web/oauth/oauthPages.js';
import { orFault } from '../../operations/storeFault.js';
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
      show: (link, cookie) => orFault(runOperation(showSignIn, services, { link, cookie: cookieFor(link, cookie) }, invocation)),
      begin: (input) => orFault(runOperation(redirectSignIn, services, { ...input, cookie: cookieFor(input.link, input.cookie) }, invocation)),
      returned: (answer) => orFault(runOperation(answeredSignIn, services, broughtBack(answer), invocation)),
      finish: (answer) => orFault(runOperation(finishSignIn, services, { ...broughtBack(answer), csrf: answer.csrf }, invocation)),
    },
    publicOrigin: publicUrl,
    onForeignPost: (named) => turnAwayForeign(services, named),
    clientMetadata: publicUrl === null ? null : () => metadata(publicUrl),
    onInternalError,
  });
}

function broughtBack({ state, cookie, code, iss, error, errorDescription }: ReturnedAnswer) {
  return { state, cookie: cookieFor(state, cookie), code, iss, error, errorDescription };
}

/** The browser's cookie for the sign-in that a link or a state names. */
function cookieFor(word: string, cookie: CookieOf): string | null {
  const signIn = partsOf(word);
  return signIn === null ? null : cookie(cookieNameOf(signIn.signInId));
}

function metadata(publicUrl: string): unknown {
  return clientMetadata({ clientId: publicUrl + metadataPath, redirectUri: `${publicUrl}/oauth/callback`, scopes: [], authMethod: 'none', version });
}
