import type { Secrets } from '../../../platform/vault/secrets.js';
import type { AuthorizationServer } from '../authorization/discovery/authorizationServer.js';
import type { OAuthClient } from '../authorization/client/oauthClient.js';
import type { TokenSet } from '../authorization/tokens/tokenAnswer.js';

/** An account that was signed in, with everything that using, renewing and revoking it takes. Lies in the vault only. */
export interface StoredGrant {
  readonly signInId: string;
  /** The subject of the admin who signed in. */
  readonly signer: string;
  readonly workspace: string;
  /** The protected resource that the tokens are for (RFC 8707). */
  readonly resource: string;
  /** As it was when the account was signed in: tokens go nowhere else. */
  readonly server: AuthorizationServer;
  readonly client: OAuthClient;
  readonly tokens: TokenSet;
}

/** A grant and the version it was read with. */
export interface VersionedGrant {
  readonly grant: StoredGrant;
  readonly version: string;
}

const name = 'grant';

/** Where the grant of each server lies, by the server's id. */
export interface GrantStore {
  read(serverId: string): Promise<VersionedGrant | null>;
  /** In place of what was there. */
  put(serverId: string, grant: StoredGrant): Promise<void>;
  /** @returns false when it is not the version any more that was read: then nothing was changed */
  swap(serverId: string, grant: StoredGrant, version: string): Promise<boolean>;
  delete(serverId: string): Promise<void>;
  /** Ids of all servers that have one. */
  all(): Promise<readonly string[]>;
}

export function grantStore(secrets: Pick<Secrets, 'readSecret' | 'putSecret' | 'swapSecret' | 'deleteSecrets' | 'secretOwners'>): GrantStore {
  return {
    async read(serverId) {
      const stored = await secrets.readSecret(serverId, name);
      return stored === null ? null : { grant: JSON.parse(stored.value) as StoredGrant, version: stored.version };
    },
    put: (serverId, grant) => secrets.putSecret(serverId, name, JSON.stringify(grant)),
    swap: async (serverId, grant, version) => (await secrets.swapSecret(serverId, name, JSON.stringify(grant), version)) !== null,
    delete: (serverId) => secrets.deleteSecrets(serverId, name),
    all: () => secrets.secretOwners(name),
  };
}
