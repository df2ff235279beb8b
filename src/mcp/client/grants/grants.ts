import type { Origin } from '../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { Account } from '../connecting/account.js';
import { lapseGrant } from './lapseGrant.js';
import { openAccount } from './openAccount.js';
import { renewGrant, type Renewal, type RenewParts } from './renewGrant.js';
import { revokeGrant, type Revocation } from './revokeGrant.js';
import type { ServerInVault } from './serverInVault.js';
import { spentTokens } from './spentTokens.js';
import type { StoredGrant } from './storedGrant.js';
import { underLease } from './underLease.js';

/** A server that may have lost its URL: nobody can be told of its account's end then. */
type ServerToEnd = Omit<ServerInVault, 'url'> & { readonly url: string | null };

/** The account of a server, while nobody else renews, replaces or ends it. */
export interface HeldAccount {
  /**
   * Takes it out of the vault and tells the authorization server, as far as that is possible. On record.
   * @returns null when there was none
   */
  end(server: ServerToEnd, reason: string, origin: Origin): Promise<Revocation | null>;
}

/** The accounts that servers are used with. */
export interface Grants {
  /** What requests to a server are authenticated with; null when nobody signed in to it. */
  accountOf(server: ServerInVault): Promise<Account | null>;
  /**
   * Takes the accounts of people who were erased out of use, on record: revoked as far as possible, and out of the vault.
   * @returns the servers they were for
   */
  suspendErased(): Promise<readonly string[]>;
  /** Revokes and forgets what the ledger does not know of, because the one or the other was put back from a backup, or a process died. */
  endUnrecorded(): Promise<void>;
  /** Does something with the account of a server while nobody else renews, replaces or ends it; waits for who does. */
  alone<T>(serverId: string, work: (held: HeldAccount) => Promise<T>): Promise<T>;
  /** Begins no more renewals, and lets those under way come to their end: what they bring must not get lost. Never rejects. */
  close(): Promise<void>;
}

export interface GrantParts extends RenewParts {
  /** Whether nothing is left of a person: an account of theirs is not used any more. */
  readonly isErased: (subject: string) => Promise<boolean>;
  /** Where a server is; null when that is forgotten. */
  readonly urlOf: (serverId: string) => Promise<string | null>;
}

/** Makes the one way accounts are used, renewed and ended. */
export function makeGrants(parts: GrantParts): Grants {
  const { store, handler, isErased } = parts;
  const renewing = new Map<string, Promise<Renewal>>();
  const spentOf = spentTokens();
  const stop = new AbortController();

  /** Who asks while a renewal is under way takes what it gets. */
  function renew(server: ServerInVault, refused: string): Promise<Renewal> {
    const key = `${server.serverId} ${refused}`;
    const running = renewing.get(key) ?? renewGrant(server, refused, parts, stop.signal).finally(() => renewing.delete(key));
    renewing.set(key, running);
    return running;
  }

  async function end({ serverId, workspace, url }: ServerToEnd, reason: string, origin: Origin): Promise<Revocation | null> {
    const stored = await store.read(serverId);
    const revocation = stored === null || url === null ? 'failed' : await revokeGrant({ serverId, workspace, url }, stored.grant, parts.authorization);
    // On record first: what is in the vault and not on record is never used, and `endUnrecorded` takes it out.
    const { kind } = await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'SignOut', serverId, reason, revocation }], origin);
    await store.delete(serverId);
    return stored !== null || kind === 'recorded' ? revocation : null;
  }

  async function alone<T>(serverId: string, work: (held: HeldAccount) => Promise<T>): Promise<T> {
    const held = await underLease(serverId, parts, async () => null, async () => ({ done: await work({ end }) }));
    // One that hangs keeps nobody from going on.
    return held === null ? work({ end }) : held.done;
  }

  return {
    async accountOf(server) {
      const stored = await store.read(server.serverId);
      if (stored === null || !(await isOnRecord(server.serverId, stored.grant))) return null;
      const account = openAccount(stored.grant, {
        read: () => store.read(server.serverId),
        renew: (refused) => renew(server, refused),
        lapse: (why) => lapseGrant(parts, server, why),
        isErased,
        spent: spentOf(server.serverId),
      });
      await account.check();
      return account;
    },

    alone,

    async suspendErased() {
      const found = await Promise.all((await store.all()).map(async (serverId) => ({ serverId, stored: await store.read(serverId) })));
      const erased = await Promise.all(found.map(async ({ serverId, stored }) => (stored !== null && (await isErased(stored.grant.signer)) ? { serverId, grant: stored.grant } : null)));
      const suspended = erased.filter((each) => each !== null);
      // Each waits for an authorization server of its own.
      await Promise.all(suspended.map(({ serverId, grant }) => suspend(serverId, grant)));
      return suspended.map(({ serverId }) => serverId);
    },

    async endUnrecorded() {
      for (const serverId of await store.all()) {
        const stored = await store.read(serverId);
        if (stored === null || (await isOnRecord(serverId, stored.grant))) continue;
        const url = await parts.urlOf(serverId);
        if (url !== null) await revokeGrant({ serverId, workspace: stored.grant.workspace, url }, stored.grant, parts.authorization);
        await store.delete(serverId);
      }
    },

    async close() {
      stop.abort();
      await Promise.allSettled(renewing.values());
    },
  };

  async function suspend(serverId: string, grant: StoredGrant): Promise<void> {
    const { signInId, workspace } = grant;
    await lapseGrant(parts, { serverId, workspace }, { signInId, reason: 'signer_erased', scopes: [] });
    const url = await parts.urlOf(serverId);
    if (url !== null) await revokeGrant({ serverId, workspace, url }, grant, parts.authorization);
    // Last: a start that finds it still there does all of it again.
    await store.delete(serverId);
  }

  async function isOnRecord(serverId: string, { signInId }: StoredGrant): Promise<boolean> {
    return (await handler.load(mcpSignInDecider, mcpSignInStream(serverId))).state.grant?.signInId === signInId;
  }
}
