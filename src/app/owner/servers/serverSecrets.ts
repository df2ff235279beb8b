import type { ServerSecrets } from '../../../operations/services.js';
import type { Vault } from '../../../platform/vault/vault.js';

/** URLs and tokens of remote servers in the vault, under the server's id. */
export function serverSecrets(vault: Pick<Vault, 'replaceSecrets' | 'getSecret' | 'deleteSecrets'>): ServerSecrets {
  return {
    put: (serverId, { url, token }) => vault.replaceSecrets(serverId, new Map([['url', url], ...(token === null ? [] : [['token', token] as const])])),
    async get(serverId) {
      const url = await vault.getSecret(serverId, 'url');
      return url === null ? null : { url, token: await vault.getSecret(serverId, 'token') };
    },
    delete: (serverId) => vault.deleteSecrets(serverId),
  };
}
