import type { CommandHandler } from '../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { ServerInVault } from './serverInVault.js';
import type { GrantStore, VersionedGrant } from './storedGrant.js';

interface Parts {
  readonly store: Pick<GrantStore, 'read' | 'all'>;
  readonly handler: Pick<CommandHandler, 'load'>;
}

/** The servers for which tokens lie in the vault that are not those of the account on record. */
export async function strayGrants(parts: Parts): Promise<readonly Pick<ServerInVault, 'workspace' | 'serverId'>[]> {
  const found = await Promise.all((await parts.store.all()).map(async (serverId) => ({ serverId, stored: await strayOf(parts, serverId) })));
  return found.flatMap(({ serverId, stored }) => (stored === null ? [] : [{ serverId, workspace: stored.grant.workspace }]));
}

/** The tokens of a server that are not those of the account on record. */
export async function strayOf({ store, handler }: Parts, serverId: string): Promise<VersionedGrant | null> {
  const stored = await store.read(serverId);
  if (stored === null) return null;
  const { grant } = (await handler.load(mcpSignInDecider, mcpSignInStream(serverId))).state;
  return grant?.signInId === stored.grant.signInId ? null : stored;
}
