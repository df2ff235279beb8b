import { Fault } from '../../../platform/fault.js';
import type { ToolListing } from '../../../tools/remoteTools.js';
import type { OwnerServices, ServerSecret } from '../../services.js';
import { refuseClosed } from '../../workspaces/requireOpen.js';

/** What a live connection showed before anything is stored: its tools, or that it wants a sign-in, which is a passed test too. */
export type ConnectionTest = { readonly kind: 'listed'; readonly listing: ToolListing } | { readonly kind: 'needs_sign_in' };

/** What to do, where that is known before anything is registered. */
const adviceOf: { readonly [failure: string]: string } = {
  server_error: ' The failure is the server\u2019s own: look at its log or ask whoever runs it, and try again.',
  unauthorized: ' Give another token, or none where the server offers a sign-in.',
  rate_limited: ' Give the command again later.',
};

/**
 * Connects once with what is about to be stored.
 * @throws Fault `workspace_closed`, or `connection_failed` with the class of the failure; 401 and 403 fail when a token was given
 */
export async function testConnection({ handler, probe }: Pick<OwnerServices, 'handler' | 'probe'>, secret: ServerSecret, workspace: string, signal: AbortSignal): Promise<ConnectionTest> {
  await refuseClosed(handler, workspace);
  const found = await probe({ ...secret, workspace }, signal);
  if (found.ok) return { kind: 'listed', listing: found.listing };
  if (found.class === 'needs_sign_in' && secret.token === null) return { kind: 'needs_sign_in' };
  throw new Fault('failed', 'connection_failed', `No usable MCP server (${found.class}): ${found.message}${adviceOf[found.class] ?? ''} Nothing was stored.`, { class: found.class, retryAfterMs: found.retryAfterMs });
}
