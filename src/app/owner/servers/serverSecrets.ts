import type { ServerSecrets } from '../../../operations/services.js';
import type { Vault } from '../../../platform/vault/vault.js';

/** URLs and tokens of remote servers in the vault, under the server's id. */
export function serverSecrets(vault: Pick<Vault, 'replaceSecrets' | 'putSecret' | 'getSecret' | 'deleteSecrets'>): ServerSecrets {
  return {
    put: (serverId, { url, token }) => vault.replaceSecrets(serverId, new Map([['url', url], ...(token === null ? [] : [['token', token] as const])])),
    setToken: (serverId, token) => (token === null ? vault.deleteSecrets(serverId, 'token') : vault.putSecret(serverId, 'token', token)),
    async get(serverId) {
      const url = await vault.getSecret(serverId, 'url');
      return url === null ? null : { url, token: await vault.getSecret(serverId, 'token') };
    },
    delete: (serverId) => vault.deleteSecrets(serverId),
  };
}
