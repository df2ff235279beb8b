import type { ConnectOutcome, RemoteFailureClass, ToolListing } from '../../../tools/remoteTools.js';
import { classify } from '../failures/errorClass.js';
import { safeMessage } from '../failures/safeMessage.js';

/** Where a server is and how to authenticate: a bearer token, or null for none. */
export interface ServerTarget {
  readonly url: string;
  readonly token: string | null;
}

const sendableToken = /^[\x21-\x7e]+$/;

/**
 * Runs one attempt to connect and list within its time.
 * @param signal gives the attempt up early
 * @returns its listing, or what failed, safe to show; never throws for what the server or the network does
 */
export async function attemptWithin(
  ms: number,
  signal: AbortSignal,
  target: ServerTarget,
  work: (signal: AbortSignal) => Promise<ToolListing>,
): Promise<ConnectOutcome> {
  if (target.token !== null && !sendableToken.test(target.token)) {
    return connectFailure('unauthorized', 'The token contains characters that cannot be sent. Set it again, without spaces or line breaks.');
  }
  const late = new Error('late');
  const both = new AbortController();
  const onAbort = () => both.abort();
  const timer = setTimeout(() => both.abort(late), ms);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) both.abort();
  try {
    return { ok: true, listing: await work(both.signal) };
  } catch (error) {
    if (both.signal.reason === late) return connectFailure('timeout', `No working connection within ${ms} ms.`);
    const { class: what, text } = classify(error, target.token !== null);
    return connectFailure(what, text, target.token);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** @param token removed from the text wherever it appears */
export function connectFailure(what: RemoteFailureClass, text: string, token: string | null = null): ConnectOutcome {
  return { ok: false, class: what, message: safeMessage(text, token === null ? [] : [token]), retryAfterMs: null };
}
