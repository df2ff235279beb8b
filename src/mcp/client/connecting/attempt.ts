import type { ConnectOutcome, RemoteFailureClass, ToolListing } from '../../../tools/remoteTools.js';
import { removerOf } from '../../../platform/scrub/knownSecrets.js';
import { classify, retryAfterIn, scopesMissingIn } from '../failures/errorClass.js';
import { safeMessage } from '../failures/safeMessage.js';
import { accountOver, credentialKind, type ServerTarget } from './account.js';
import { secretsOf } from './secretsOf.js';

const sendableToken = /^[\x21-\x7e]+$/;

/**
 * Runs one attempt to connect and list.
 * @param hint what else to say of a failure to whoever may see all of it; null for nothing
 * @returns its listing, or what failed, safe to show; never throws for what the server or the network does
 */
export async function attempt(
  target: ServerTarget,
  work: () => Promise<ToolListing>,
  hint: (error: unknown) => string | null = () => null,
): Promise<ConnectOutcome> {
  const { token, account } = target;
  if (account?.token() === null) return connectFailure('needs_reauthorization', accountOver().message);
  if (token !== null && !sendableToken.test(token)) {
    return connectFailure('unauthorized', 'The token contains characters that cannot be sent. Set it again, without spaces or line breaks.');
  }
  try {
    return { ok: true, listing: await work() };
  } catch (error) {
    const { class: what, text } = classify(error, credentialKind(target));
    const more = hint(error);
    const message = safeMessage(text, secretsOf(target));
    const missing = withoutSecrets(scopesMissingIn(error), target);
    return { ...connectFailure(what, more === null ? message : `${message} ${more}`), retryAfterMs: retryAfterIn(error), ...(missing.length > 0 && { scopesMissing: missing }) };
  }
}

/** A server may name a token as a scope. */
function withoutSecrets(scopes: readonly string[], target: ServerTarget): readonly string[] {
  const remove = removerOf(secretsOf(target));
  return scopes.filter((scope) => remove(scope) === scope);
}

/** @param message safe to show */
export function connectFailure(what: RemoteFailureClass, message: string): ConnectOutcome & { readonly ok: false } {
  return { ok: false, class: what, message, retryAfterMs: null };
}
