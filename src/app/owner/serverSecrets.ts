import type { ServerSecrets } from '../../operations/services.js';
import type { Vault } from '../../platform/vault/vault.js';

/** URLs and tokens of remote servers in the vault, under the server's id. */
export function serverSecrets(vault: Vault): ServerSecrets & {
  get(serverId: string): Promise<{ readonly url: string; readonly token: string | null } | null>;
} {
  return {
    async put(serverId, { url, token }) {
      await vault.putSecret(serverId, 'url', url);
      if (token !== null) await vault.putSecret(serverId, 'token', token);
    },
    async get(serverId) {
      const url = await vault.getSecret(serverId, 'url');
      return url === null ? null : { url, token: await vault.getSecret(serverId, 'token') };
    },
    delete: (serverId) => vault.deleteSecrets(serverId),
  };
}
