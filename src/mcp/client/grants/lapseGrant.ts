import { systemOrigin, type CommandHandler } from '../../../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../commands/mcpServers/mcpServersState.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { Clock } from '../../../platform/clock.js';
import type { RemoteServer } from '../../../tools/remoteTools.js';

/** Records that an account cannot be used until somebody signs in again, and parks its server; once, however many find out. */
export async function lapseGrant(
  { handler, clock }: { readonly handler: CommandHandler; readonly clock: Clock },
  { workspace, serverId }: Pick<RemoteServer, 'workspace' | 'serverId'>,
  reason: string,
  scopes: readonly string[],
): Promise<void> {
  const origin = systemOrigin(workspace);
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'RequireReauthorization', serverId, reason, scopes }], origin);
  const stream = mcpServersStream(workspace);
  const { state, revision } = await handler.load(mcpServersDecider, stream);
  const server = serverById(state, serverId);
  if (server === undefined || server.connection.parked?.reason === 'needs_reauthorization') return;
  const found = { class: 'needs_reauthorization', revision: revision ?? -1, asked: true, retryAfterMs: null, now: clock.now(), baseMs: 0 } as const;
  await handler.execute(mcpServersDecider, stream, [{ type: 'RecordFailure', serverId, ...found }], origin);
}
