import type { BodyEnd } from '../../../../platform/net/cappedBody.js';
import type { GuardedFetch, RequestWatch } from '../../../../platform/net/guardedFetch.js';
import { bearerChallenge } from '../../authorization/challenge.js';
import type { Account } from '../account.js';

/**
 * The fetch of a server that is used with an account: after a 401 the token is renewed once and the request is sent once
 * more. A second 401, or a 403 that says which scopes are missing (MCP 2025-11-25, authorization; RFC 6750, section 3.1),
 * ends the account's use until somebody signs in again.
 */
export function authorizedFetch(guarded: GuardedFetch, account: Account): GuardedFetch {
  return {
    close: () => guarded.close(),
    async fetch(url, init, watch = {}) {
      const used = account.token();
      const first = heldBack(watch);
      const refused = await guarded.fetch(url, init, first.watch);
      if (refused.status !== 401 || used === null || !(await account.renew(used))) {
        first.release();
        await lapseIfScopesMissing(refused, account);
        return refused;
      }
      const response = await guarded.fetch(url, init, watch);
      if (response.status === 401) await account.lapse('refused_again', []);
      await lapseIfScopesMissing(response, account);
      return response;
    },
  };
}

async function lapseIfScopesMissing(response: Response, account: Account): Promise<void> {
  if (response.status !== 403) return;
  const challenge = bearerChallenge(response.headers.get('www-authenticate'));
  if (challenge?.error === 'insufficient_scope') await account.lapse('insufficient_scope', challenge.scopes);
}

/** Keeps to itself how the body ended until it is known that the request is not sent again. */
function heldBack(watch: RequestWatch): { readonly watch: RequestWatch; readonly release: () => void } {
  let released = false;
  const early: BodyEnd[] = [];
  return {
    watch: {
      ...watch,
      onBodyEnd: (end) => {
        if (released) watch.onBodyEnd?.(end);
        else early.push(end);
      },
    },
    release: () => {
      released = true;
      for (const end of early) watch.onBodyEnd?.(end);
    },
  };
}
