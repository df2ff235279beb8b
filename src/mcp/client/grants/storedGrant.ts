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

/** Where the grant of each server lies, by the server's id. What somebody else has put there in the meantime is never overwritten or removed. */
export interface GrantStore {
  read(serverId: string): Promise<VersionedGrant | null>;
  /**
   * @param version null: there must be none yet
   * @returns false when it is not the version any more that was read: then nothing was changed
   */
  swap(serverId: string, grant: StoredGrant, version: string | null): Promise<boolean>;
  /** @returns false as `swap` does */
  drop(serverId: string, version: string): Promise<boolean>;
  /** Ids of all servers that have one. */
  all(): Promise<readonly string[]>;
}

export function grantStore(secrets: Pick<Secrets, 'readSecret' | 'swapSecret' | 'dropSecret' | 'secretOwners'>): GrantStore {
  return {
    async read(serverId) {
      const stored = await secrets.readSecret(serverId, name);
      return stored === null ? null : { grant: JSON.parse(stored.value) as StoredGrant, version: stored.version };
    },
    swap: async (serverId, grant, version) => (await secrets.swapSecret(serverId, name, JSON.stringify(grant), version)) !== null,
    drop: (serverId, version) => secrets.dropSecret(serverId, name, version),
    all: () => secrets.secretOwners(name),
  };
}
