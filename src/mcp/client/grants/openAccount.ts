import { removerOf } from '../../../platform/scrub/knownSecrets.js';
import type { Account, AfterRefusal } from '../connecting/account.js';
import type { Renewal } from './renewGrant.js';
import type { SpentTokens } from './spentTokens.js';
import type { GrantStore, StoredGrant } from './storedGrant.js';
import type { Lapse } from './lapseGrant.js';

/** What an account does beyond itself. */
export interface AccountActs {
  readonly read: () => ReturnType<GrantStore['read']>;
  readonly renew: (refused: string) => Promise<Renewal>;
  readonly lapse: (why: Lapse) => Promise<void>;
  readonly isErased: (subject: string) => Promise<boolean>;
  readonly spent: Pick<SpentTokens, 'add' | 'all'>;
}

/**
 * Makes an account of a grant that lies in the vault. Several of one server may be in use at the same time. It stays the
 * account of one sign-in: another one's may be somebody else's, and meant for other people.
 */
export function openAccount(first: StoredGrant, { read, renew, lapse, isErased, spent }: AccountActs): Account {
  let grant = first;
  let usable = true;

  function use(found: StoredGrant): void {
    spent.add(found.tokens.accessToken);
    grant = found;
    usable = true;
  }

  /** @returns `superseded` when it is another sign-in's */
  function useIfOurs<Kind extends AfterRefusal>(found: StoredGrant, kind: Kind): Kind | 'superseded' {
    if (found.signInId === first.signInId) {
      use(found);
      return kind;
    }
    usable = false;
    return 'superseded';
  }

  function secrets(): readonly string[] {
    const { tokens, client } = grant;
    return [...spent.all(), ...[tokens.refreshToken, client.clientSecret].filter((secret) => secret !== null)];
  }

  use(first);
  return {
    token: () => (usable ? grant.tokens.accessToken : null),
    secrets,

    async check() {
      if (!usable || !(await isErased(grant.signer))) return;
      usable = false;
      await lapse({ signInId: grant.signInId, reason: 'signer_erased', scopes: [] });
    },

    async renew(refused) {
      const renewal = await renew(refused);
      if (renewal.kind !== 'over') return useIfOurs(renewal.grant, renewal.kind);
      usable = false;
      return 'over';
    },

    async lapse(refused, reason, missing) {
      const found = await read();
      if (found !== null && found.grant.tokens.accessToken !== refused) return useIfOurs(found.grant, 'replaced');
      if (found === null || reason === 'refused_again') usable = false;
      const remove = removerOf(secrets());
      // Scopes go on record; a server may name a token as one.
      const scopes = missing.filter((scope) => remove(scope) === scope);
      if (found !== null) await lapse({ signInId: found.grant.signInId, reason, scopes });
      return 'over';
    },
  };
}
