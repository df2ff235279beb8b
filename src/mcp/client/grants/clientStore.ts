import { createHash } from 'node:crypto';
import type { Secrets } from '../../../platform/vault/secrets.js';
import type { OAuthClient } from '../authorization/client/oauthClient.js';

/** Who we are at an authorization server, for one workspace. */
export interface KnownClient {
  readonly client: OAuthClient;
  /** Whether the authorization server has answered for it since it was last used to begin a sign-in. */
  readonly isAnswered: boolean;
}

const name = 'client';

/** Keeps who we are by workspace and issuer: what one authorization server gave is shown to no other. */
export interface ClientStore {
  read(workspace: string, issuer: string): Promise<KnownClient | null>;
  put(workspace: string, issuer: string, known: KnownClient): Promise<void>;
  /** Forgets a client that was registered by us; one that an admin gave stays, and so does one that was registered since. */
  forget(workspace: string, issuer: string, clientId: string): Promise<void>;
  /** Forgets who we are for a workspace, everywhere. */
  forgetAll(workspace: string): Promise<void>;
}

export function clientStore(secrets: Pick<Secrets, 'getSecret' | 'putSecret' | 'deleteSecrets' | 'secretOwners'>): ClientStore {
  const read = async (workspace: string, issuer: string): Promise<KnownClient | null> => {
    const value = await secrets.getSecret(ownerOf(workspace, issuer), name);
    return value === null ? null : (JSON.parse(value) as KnownClient);
  };
  return {
    read,
    put: (workspace, issuer, known) => secrets.putSecret(ownerOf(workspace, issuer), name, JSON.stringify(known)),
    async forget(workspace, issuer, clientId) {
      const known = (await read(workspace, issuer))?.client;
      if (known?.source === 'registered' && known.clientId === clientId) await secrets.deleteSecrets(ownerOf(workspace, issuer), name);
    },
    async forgetAll(workspace) {
      const owners = await secrets.secretOwners(name);
      for (const owner of owners.filter((each) => each.startsWith(ownerPrefix(workspace)))) await secrets.deleteSecrets(owner, name);
    },
  };
}

function ownerOf(workspace: string, issuer: string): string {
  return ownerPrefix(workspace) + createHash('sha256').update(issuer).digest('hex');
}

function ownerPrefix(workspace: string): string {
  return `client-${workspace}:`;
}
