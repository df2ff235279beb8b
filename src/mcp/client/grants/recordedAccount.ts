import type { CommandHandler } from '../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { GrantStore, StoredGrant } from './storedGrant.js';

/** What a server is used with: an account, nothing, or one whose tokens are gone. */
export type RecordedAccount =
  | { readonly kind: 'none' }
  | { readonly kind: 'there'; readonly grant: StoredGrant }
  | { readonly kind: 'tokens_missing'; readonly signInId: string };

/** Looks for the account on record of a server. One that lapsed before its tokens were gone is none any more. */
export async function recordedAccount({ store, handler }: { readonly store: Pick<GrantStore, 'read'>; readonly handler: Pick<CommandHandler, 'load'> }, serverId: string): Promise<RecordedAccount> {
  const stored = await store.read(serverId);
  const recorded = (await handler.load(mcpSignInDecider, mcpSignInStream(serverId))).state.grant;
  if (recorded === null) return { kind: 'none' };
  if (stored?.grant.signInId === recorded.signInId) return { kind: 'there', grant: stored.grant };
  return recorded.lapsed === null ? { kind: 'tokens_missing', signInId: recorded.signInId } : { kind: 'none' };
}
