import type { Origin } from '../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import { Fault } from '../../../platform/fault.js';
import type { Account } from '../connecting/account.js';
import { lapseGrant } from './lapseGrant.js';
import { openAccount } from './openAccount.js';
import { renewGrant, type Renewal, type RenewParts, type UnkeptTokens } from './renewGrant.js';
import { revokeGrant, type Revocation } from './revokeGrant.js';
import type { ServerInVault } from './serverInVault.js';
import { spentTokens } from './spentTokens.js';
import type { StoredGrant, VersionedGrant } from './storedGrant.js';
import { underLease, type LeaseParts } from './underLease.js';

/** A server that may have lost its URL: nobody can be told of its account's end then. */
type ServerToEnd = Omit<ServerInVault, 'url'> & { readonly url: string | null };

/** How an account is ended. */
export interface Ending {
  readonly reason: string;
  readonly origin: Origin;
  /** What comes in its place; done before its tokens are forgotten, so that a start sees by them that it was not finished. */
  readonly next?: (revocation: Revocation | null) => Promise<void>;
  /** Gives it up while the authorization server is told; it is as it was then. */
  readonly signal?: AbortSignal;
}

/** The account of a server, while nobody else renews, replaces or ends it. */
export interface HeldAccount {
  /**
   * Tells the authorization server, as far as that is possible, records the end, and takes the account out of the vault.
   * @returns null when there was none
   * @throws the signal's reason
   */
  end(server: ServerToEnd, ending: Ending): Promise<Revocation | null>;
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
  endUnrecorded(signal: AbortSignal): Promise<void>;
  /** Servers for which tokens lie in the vault that are not those of the account on record. */
  unrecorded(): Promise<readonly Pick<ServerInVault, 'workspace' | 'serverId'>[]>;
  /**
   * Does something with the account of a server while nobody else renews, replaces or ends it; waits for who does.
   * @throws Fault `account_busy` when another process does and does not come to an end; nothing was done then
   */
  alone<T>(serverId: string, work: (held: HeldAccount) => Promise<T>): Promise<T>;
  /** Begins no more renewals, and lets those under way come to their end: what they bring must not get lost. Never rejects. */
  close(): Promise<void>;
}

export interface GrantParts extends Omit<RenewParts, 'underLease' | 'unkept'>, LeaseParts {
  /** Whether nothing is left of a person: an account of theirs is not used any more. */
  readonly isErased: (subject: string) => Promise<boolean>;
  /** Where a server is; null when that is forgotten. */
  readonly urlOf: (serverId: string) => Promise<string | null>;
}

/** Of an account whose tokens are gone: nothing is sent with it. */
const accountWithoutTokens: Account = { token: () => null, secrets: () => [], check: async () => undefined, renew: async () => 'over', lapse: async () => 'over' };

/** Makes the one way accounts are used, renewed and ended. */
export function makeGrants(parts: GrantParts): Grants {
  const { store, handler, isErased } = parts;
  const renewing = new Map<string, Promise<Renewal>>();
  const unkept = new Map<string, UnkeptTokens>();
  const spentOf = spentTokens();
  const stop = new AbortController();
  const takeTurn = underLease(parts);

  /** Who asks while a renewal is under way takes what it gets. */
  function renew(server: ServerInVault, refused: string): Promise<Renewal> {
    const key = `${server.serverId} ${refused}`;
    const running = renewing.get(key) ?? renewGrant(server, refused, { ...parts, underLease: takeTurn, unkept }, stop.signal).finally(() => renewing.delete(key));
    renewing.set(key, running);
    return running;
  }

  async function alone<T>(serverId: string, work: (held: HeldAccount) => Promise<T>): Promise<T> {
    const turn = await takeTurn(serverId, () => work({ end }));
    if (turn === null) throw new Fault('failed', 'account_busy', 'The account of this server is being changed by another process, and that takes too long. Try again in a moment.', { serverId });
    return turn.done;
  }

  async function end({ serverId, workspace, url }: ServerToEnd, { reason, origin, next, signal }: Ending): Promise<Revocation | null> {
    const stored = await store.read(serverId);
    const revocation = stored === null || url === null ? 'failed' : await revokeGrant({ serverId, workspace, url }, stored.grant, parts.authorization, signal);
    signal?.throwIfAborted();
    // On record first: what is in the vault and not on record is never used, and `endUnrecorded` takes it out.
    const { kind } = await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'SignOut', serverId, reason, revocation }], origin);
    const ended = stored !== null || kind === 'recorded' ? revocation : null;
    await next?.(ended);
    if (stored !== null) await store.drop(serverId, stored.version);
    return ended;
  }

  return {
    async accountOf(server) {
      const { serverId } = server;
      const { grant, missing } = await lookAt(serverId);
      // One that is just being put to use has its tokens when that is done.
      const found = missing === null ? grant : await alone(serverId, () => foundOrLapsed(server));
      if (found === null) return missing === null ? null : accountWithoutTokens;
      const account = openAccount(found, {
        read: () => store.read(serverId),
        renew: (refused) => renew(server, refused),
        lapse: (why) => lapseGrant(parts, server, why),
        isErased,
        spent: spentOf(serverId),
      });
      await account.check();
      return account;
    },

    alone,

    async suspendErased() {
      // Each waits for an authorization server of its own.
      const suspended = await Promise.all((await store.all()).map(async (serverId) => ((await isOfErased(await store.read(serverId))) ? suspend(serverId) : null)));
      return suspended.filter((serverId) => serverId !== null);
    },

    async endUnrecorded(signal) {
      await Promise.all((await unrecorded()).map(({ serverId }) => forget(serverId, signal)));
    },

    unrecorded,

    async close() {
      stop.abort();
      await Promise.allSettled(renewing.values());
      await Promise.allSettled([...unkept.values()].map(keepOrRevoke));
    },
  };

  /** The account on record, when its tokens are there; `missing`: the sign-in of one that is to be used and has none. */
  async function lookAt(serverId: string): Promise<{ readonly grant: StoredGrant | null; readonly missing: string | null }> {
    const [stored, recorded] = [await store.read(serverId), await onRecord(serverId)];
    if (recorded === null) return { grant: null, missing: null };
    if (stored?.grant.signInId === recorded.signInId) return { grant: stored.grant, missing: null };
    return { grant: null, missing: recorded.lapsed === null ? recorded.signInId : null };
  }

  /** An account whose tokens are gone, because the keys were put back from an older backup, waits for a sign-in. */
  async function foundOrLapsed(server: ServerInVault): Promise<StoredGrant | null> {
    const { grant, missing } = await lookAt(server.serverId);
    if (missing !== null) await lapseGrant(parts, server, { signInId: missing, reason: 'tokens_missing', scopes: [] });
    return grant;
  }

  async function unrecorded(): Promise<readonly Pick<ServerInVault, 'workspace' | 'serverId'>[]> {
    const found = await Promise.all((await store.all()).map(async (serverId) => ({ serverId, stored: await strayOf(serverId) })));
    return found.flatMap(({ serverId, stored }) => (stored === null ? [] : [{ serverId, workspace: stored.grant.workspace }]));
  }

  async function forget(serverId: string, signal: AbortSignal): Promise<void> {
    await alone(serverId, async () => {
      const stored = await strayOf(serverId);
      if (stored === null) return;
      await revoke(serverId, stored.grant, signal);
      // Given up: the next start does it.
      if (!signal.aborted) await store.drop(serverId, stored.version);
    });
  }

  /** @returns null when somebody has signed in again, or out, while it was waited for the turn */
  function suspend(serverId: string): Promise<string | null> {
    return alone(serverId, async () => {
      const stored = await store.read(serverId);
      if (stored === null || !(await isOfErased(stored))) return null;
      const { signInId, workspace } = stored.grant;
      await lapseGrant(parts, { serverId, workspace }, { signInId, reason: 'signer_erased', scopes: [] });
      await revoke(serverId, stored.grant);
      // Last: a start that finds it still there does all of it again.
      await store.drop(serverId, stored.version);
      return serverId;
    });
  }

  async function isOfErased(stored: VersionedGrant | null): Promise<boolean> {
    return stored !== null && isErased(stored.grant.signer);
  }

  async function revoke(serverId: string, grant: StoredGrant, signal?: AbortSignal): Promise<void> {
    const url = await parts.urlOf(serverId);
    if (url !== null) await revokeGrant({ serverId, workspace: grant.workspace, url }, grant, parts.authorization, signal);
  }

  /** The last chance of tokens that the vault did not take before. */
  async function keepOrRevoke({ server, renewed, before }: UnkeptTokens): Promise<void> {
    const isKept = await store.swap(server.serverId, renewed, before.version).catch(() => false);
    if (!isKept) await revokeGrant(server, renewed, parts.authorization);
  }

  async function onRecord(serverId: string) {
    return (await handler.load(mcpSignInDecider, mcpSignInStream(serverId))).state.grant;
  }

  /** The tokens of a server that are not those of the account on record. */
  async function strayOf(serverId: string): Promise<VersionedGrant | null> {
    const stored = await store.read(serverId);
    return stored === null || (await onRecord(serverId))?.signInId === stored.grant.signInId ? null : stored;
  }
}
