import type { Origin } from '../../../commands/commandHandler.js';
import { foundWaiting, mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { recordListing } from '../../../tools/recordListing.js';
import type { OwnerServices } from '../../services.js';
import type { ConnectionTest } from './connectionTest.js';

/** Records of a server what the connection test showed: its tools and that it works, or that it waits for a sign-in. */
export async function recordTest({ handler, clock }: Pick<OwnerServices, 'handler' | 'clock'>, serverId: string, test: ConnectionTest, origin: Origin): Promise<void> {
  const stream = mcpServersStream(origin.workspace);
  if (test.kind === 'listed') {
    await recordListing(handler, test.listing, serverId, origin);
    await handler.execute(mcpServersDecider, stream, [{ type: 'RecordSuccess', serverId }], origin);
    return;
  }
  const folded = await handler.load(mcpServersDecider, stream);
  await handler.execute(mcpServersDecider, stream, [foundWaiting(serverId, test.kind, folded, clock.now())], origin);
}
