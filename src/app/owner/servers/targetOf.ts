import type { ServerTarget } from '../../../mcp/client/connecting/account.js';
import type { ServerSecrets } from '../../../operations/services.js';
import type { SignInServices } from '../../../operations/servers/signIn/signInServices.js';
import type { RemoteServer } from '../../../tools/remoteTools.js';

/** Where a registered server is, and how its requests are authenticated; null when its address is gone. */
export async function targetOf({ workspace, serverId }: RemoteServer, secrets: Pick<ServerSecrets, 'get'>, { grants }: Pick<SignInServices, 'grants'>): Promise<ServerTarget | null> {
  const stored = await secrets.get(serverId);
  if (stored === null) return null;
  const account = await grants.accountOf({ workspace, serverId, url: stored.url });
  return account === null ? stored : { url: stored.url, token: null, account };
}
