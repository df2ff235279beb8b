import { Fault } from '../../../platform/fault.js';
import type { Account } from '../connecting/account.js';
import { giveUpTokens } from './giveUpTokens.js';
import { heldAccount, type HeldAccount } from './heldAccount.js';
import { lapseGrant } from './lapseGrant.js';
import { openAccount } from './openAccount.js';
import { recordedAccount, type RecordedAccount } from './recordedAccount.js';
import { renewGrant, type Renewal, type RenewParts, type UnkeptTokens } from './renewGrant.js';
import type { ServerInVault } from './serverInVault.js';
import { spentTokens } from './spentTokens.js';
import { strayGrants, strayOf } from './strayGrants.js';
import type { StoredGrant, VersionedGrant } from './storedGrant.js';
import { underLease, type LeaseParts } from './underLease.js';

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
  const { store, isErased } = parts;
  const renewing = new Map<string, Promise<Renewal>>();
  const unkept = new Map<string, UnkeptTokens>();
  const spentOf = spentTokens();
  const stop = new AbortController();
  const takeTurn = underLease(parts);
  const held = heldAccount(parts);

  /** Who asks while a renewal is under way takes what it gets. */
  function renew(server: ServerInVault, refused: string): Promise<Renewal> {
    const key = `${server.serverId} ${refused}`;
    const running = renewing.get(key) ?? renewGrant(server, refused, { ...parts, underLease: takeTurn, unkept }, stop.signal).finally(() => renewing.delete(key));
    renewing.set(key, running);
    return running;
  }

  async function alone<T>(serverId: string, work: (held: HeldAccount) => Promise<T>): Promise<T> {
    const turn = await takeTurn(serverId, () => work(held));
    if (turn === null) throw new Fault('failed', 'account_busy', 'The account of this server is being changed by another process, and that takes too long. Try again in a moment.', { serverId });
    return turn.done;
  }

  return {
    async accountOf(server) {
      const { serverId } = server;
      const seen = await recordedAccount(parts, serverId);
      // One that is just being put to use has its tokens when that is done.
      const found = seen.kind === 'tokens_missing' ? await alone(serverId, () => thereOrLapsed(server)) : seen;
      if (found.kind === 'none') return null;
      if (found.kind === 'tokens_missing') return accountWithoutTokens;
      const account = openAccount(found.grant, {
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
      await Promise.all((await strayGrants(parts)).map(({ serverId }) => forget(serverId, signal)));
    },

    unrecorded: () => strayGrants(parts),

    async close() {
      stop.abort();
      await Promise.allSettled(renewing.values());
      await Promise.allSettled([...unkept.values()].map(keepOrGiveUp));
    },
  };

  /** An account whose tokens are gone, because the keys were put back from an older backup, waits for a sign-in. */
  async function thereOrLapsed(server: ServerInVault): Promise<RecordedAccount> {
    const found = await recordedAccount(parts, server.serverId);
    if (found.kind === 'tokens_missing') await lapseGrant(parts, server, { signInId: found.signInId, reason: 'tokens_missing', scopes: [] });
    return found;
  }

  async function forget(serverId: string, signal: AbortSignal): Promise<void> {
    await alone(serverId, async () => {
      const stored = await strayOf(parts, serverId);
      if (stored === null) return;
      await giveUp(serverId, stored.grant, 'left_over', signal);
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
      await giveUp(serverId, stored.grant, 'signer_erased');
      // Last: a start that finds it still there does all of it again.
      await store.drop(serverId, stored.version);
      return serverId;
    });
  }

  async function isOfErased(stored: VersionedGrant | null): Promise<boolean> {
    return stored !== null && isErased(stored.grant.signer);
  }

  async function giveUp(serverId: string, grant: StoredGrant, reason: string, signal?: AbortSignal): Promise<void> {
    await giveUpTokens(parts, { serverId, workspace: grant.workspace, url: await parts.urlOf(serverId) }, grant, reason, signal);
  }

  /** The last chance of tokens that the vault did not take before. */
  async function keepOrGiveUp({ server, renewed, before }: UnkeptTokens): Promise<void> {
    const isKept = await store.swap(server.serverId, renewed, before.version).catch(() => false);
    if (!isKept) await giveUpTokens(parts, server, renewed, 'not_kept');
  }
}
