import type { Origin } from '../../../commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
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
  const { revision } = await handler.load(mcpServersDecider, stream);
  const failure = { class: test.kind, revision: revision ?? -1, asked: true, retryAfterMs: null, now: clock.now(), baseMs: 0 } as const;
  await handler.execute(mcpServersDecider, stream, [{ type: 'RecordFailure', serverId, ...failure }], origin);
}
