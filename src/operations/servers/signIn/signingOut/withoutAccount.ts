import type { Origin } from '../../../../commands/commandHandler.js';
import { foundWaiting, mcpServersDecider, mcpServersStream } from '../../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../../commands/mcpServers/mcpServersState.js';
import type { OwnerServices } from '../../../services.js';

/** Records of a server whose account has ended that it is used with nothing, and waits for a sign-in. Once is enough. */
export async function withoutAccount({ handler, remote, clock, secrets }: Pick<OwnerServices, 'handler' | 'remote' | 'clock' | 'secrets'>, serverId: string, origin: Origin): Promise<void> {
  const stream = mcpServersStream(origin.workspace);
  const before = await handler.load(mcpServersDecider, stream);
  if (serverById(before.state, serverId)?.credential !== 'oauth') return;
  // A token that was to take its place, and was not put on record.
  await secrets.setToken(serverId, null);
  await handler.execute(mcpServersDecider, stream, [{ type: 'ReplaceCredential', serverId, credential: 'none' }], origin);
  const folded = await handler.load(mcpServersDecider, stream);
  await handler.execute(mcpServersDecider, stream, [foundWaiting(serverId, 'needs_sign_in', folded, clock.now())], origin);
  await remote.disconnect(serverId);
}
