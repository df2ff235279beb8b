import type { Origin } from '../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { RemoteServer } from '../../../tools/remoteTools.js';
import { openAuthorizationFetch } from '../authorization/authorizationFetch.js';
import { revokeTokens } from '../authorization/tokens.js';
import type { Account } from '../connecting/account.js';
import { lapseGrant } from './lapseGrant.js';
import { renewGrant, type RenewParts } from './renewGrant.js';
import type { StoredGrant } from './storedGrant.js';

/** A registered server and its URL, which only the vault knows. */
export type ServerInVault = Pick<RemoteServer, 'workspace' | 'serverId'> & { readonly url: string };

/** What became of telling an authorization server that tokens are not used any more (RFC 7009). */
export type Revocation = Awaited<ReturnType<typeof revokeTokens>>;

/** The accounts that servers are used with. */
export interface Grants {
  /** What requests to a server are authenticated with; null when nobody signed in to it. */
  accountOf(server: ServerInVault): Promise<Account | null>;
  /**
   * Takes an account out of the vault and tells the authorization server, as far as that is possible. On record.
   * @param server without URL: nobody can be told
   * @returns null when there was none
   */
  end(server: Omit<ServerInVault, 'url'> & { readonly url: string | null }, reason: string, origin: Origin): Promise<Revocation | null>;
  /**
   * Takes the accounts of people who were erased out of use, on record: revoked as far as possible, and out of the vault.
   * @returns the servers they were for
   */
  suspendErased(): Promise<readonly string[]>;
}

export interface GrantParts extends RenewParts {
  /** Whether nothing is left of a person: an account of theirs is not used any more. */
  readonly isErased: (subject: string) => Promise<boolean>;
  /** Where a server is; null when that is forgotten. */
  readonly urlOf: (serverId: string) => Promise<string | null>;
}

/** Makes the one way accounts are used, renewed and ended. */
export function makeGrants(parts: GrantParts): Grants {
  const { store, handler } = parts;
  const renewing = new Map<string, Promise<string | null>>();

  /** Who asks while a renewal is under way takes what it gets. */
  function renew(server: ServerInVault, refused: string): Promise<string | null> {
    const key = `${server.serverId} ${refused}`;
    const running = renewing.get(key) ?? renewGrant(server, refused, parts).finally(() => renewing.delete(key));
    renewing.set(key, running);
    return running;
  }

  return {
    async accountOf(server) {
      const stored = await store.read(server.serverId);
      if (stored === null) return null;
      if (await parts.isErased(stored.grant.signer)) {
        await suspend(server.serverId, stored.grant);
        return unusable;
      }
      return account(stored.grant, {
        renew: (refused) => renew(server, refused),
        lapse: (reason, scopes) => lapseGrant(parts, server, reason, scopes),
      });
    },

    async end({ serverId, workspace, url }, reason, origin) {
      const stored = await store.read(serverId);
      const revocation = stored === null || url === null ? 'failed' : await revoke({ serverId, workspace, url }, stored.grant);
      await store.delete(serverId);
      const { kind } = await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'SignOut', serverId, reason, revocation }], origin);
      return stored !== null || kind === 'recorded' ? revocation : null;
    },

    async suspendErased() {
      const suspended: string[] = [];
      for (const serverId of await store.all()) {
        const stored = await store.read(serverId);
        if (stored === null || !(await parts.isErased(stored.grant.signer))) continue;
        await suspend(serverId, stored.grant);
        suspended.push(serverId);
      }
      return suspended;
    },
  };

  async function suspend(serverId: string, grant: StoredGrant): Promise<void> {
    const server = { serverId, workspace: grant.workspace };
    await lapseGrant(parts, server, 'signer_erased', []);
    await store.delete(serverId);
    const url = await parts.urlOf(serverId);
    if (url !== null) await revoke({ ...server, url }, grant);
  }

  async function revoke(server: ServerInVault, { server: authorizationServer, client, tokens }: StoredGrant): Promise<Revocation> {
    const fetch = openAuthorizationFetch(server, parts.authorization);
    try {
      return await revokeTokens({ server: authorizationServer, client, tokens }, fetch, new AbortController().signal);
    } finally {
      await fetch.close();
    }
  }
}

const unusable: Account = { token: () => null, secrets: () => [], renew: async () => false, lapse: async () => undefined };

interface AccountActs {
  readonly renew: (refused: string) => Promise<string | null>;
  readonly lapse: Account['lapse'];
}

function account({ tokens }: StoredGrant, acts: AccountActs): Account {
  let token: string | null = tokens.accessToken;
  /** A server may still echo one that was replaced. */
  const seen = new Set([tokens.accessToken]);
  return {
    token: () => token,
    secrets: () => [...seen],
    async renew(refused) {
      token = await acts.renew(refused);
      if (token !== null) seen.add(token);
      return token !== null;
    },
    async lapse(reason, scopes) {
      if (reason === 'refused_again') token = null;
      await acts.lapse(reason, scopes);
    },
  };
}
