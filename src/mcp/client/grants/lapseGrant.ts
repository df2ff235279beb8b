import { systemOrigin, type CommandHandler } from '../../../commands/commandHandler.js';
import { foundWaiting, mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../commands/mcpServers/mcpServersState.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { RemoteServer } from '../../../tools/remoteTools.js';

/** Why an account cannot be used any more. */
export interface Lapse {
  /** The sign-in that brought it: nothing is said of an account that was signed in since. */
  readonly signInId: string;
  readonly reason: string;
  /** What was missing. */
  readonly scopes: readonly string[];
}

/** Records that an account cannot be used until somebody signs in again, and parks its server; once, however many find out. */
export async function lapseGrant(
  { handler, clock }: { readonly handler: CommandHandler; readonly clock: Clock },
  { workspace, serverId }: Pick<RemoteServer, 'workspace' | 'serverId'>,
  { signInId, reason, scopes }: Lapse,
): Promise<void> {
  const origin = systemOrigin(workspace);
  const stream = mcpServersStream(workspace);
  // As the server stands before: a sign-in that completes from here on makes what is found old news.
  const before = await handler.load(mcpServersDecider, stream);
  const lapsed = await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'RequireReauthorization', serverId, signInId, reason, scopes }], origin);
  const onRecord = lapsed.state.grant;
  if (onRecord !== null && onRecord.signInId !== signInId) return;
  const server = serverById(before.state, serverId);
  if (server === undefined || server.connection.parked?.reason === 'needs_reauthorization') return;
  await handler.execute(mcpServersDecider, stream, [foundWaiting(serverId, 'needs_reauthorization', before, clock.now())], origin);
}
