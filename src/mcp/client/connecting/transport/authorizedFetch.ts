import { Fault } from '../../../../platform/fault.js';
import type { BodyEnd } from '../../../../platform/net/cappedBody.js';
import type { GuardedFetch, RequestWatch } from '../../../../platform/net/guardedFetch.js';
import { bearerChallenge } from '../../authorization/discovery/challenge.js';
import { AccountFault, accountOver, accountReplaced, type Account, type AfterRefusal } from '../account.js';

/** A request is sent at most so often: more than twice only when others replaced the token while it was under way. */
const mostSends = 4;

/**
 * The fetch of a server that is used with an account: after a 401 the token is renewed once and the request is sent once
 * more. A second 401, or a 403 that says which scopes are missing (MCP 2025-11-25, authorization; RFC 6750, section 3.1),
 * ends the account's use until somebody signs in again. What is said of a token that is not the account's any more says
 * nothing of the account: the request is sent with the one that is. It is never sent with the account of another sign-in.
 */
export function authorizedFetch(guarded: GuardedFetch, account: Account): GuardedFetch {
  return {
    close: () => guarded.close(),
    async fetch(url, init, watch = {}) {
      // Whether a server hears our last words does not matter; for them no token is renewed and nothing ends.
      if (init.method === 'DELETE') return guarded.fetch(url, init, watch);
      let renewed = false;
      for (let sends = 1; ; sends += 1) {
        await ownTrouble(account.check());
        const used = account.token();
        if (used === null) throw accountOver();
        const held = heldBack(watch);
        const response = await guarded.fetch(url, init, held.watch).catch((error: unknown) => {
          held.release();
          throw error;
        });
        const next: AfterRefusal | null = await ownTrouble(afterwards(response, used, renewed, account));
        if (next === null || next === 'over') {
          held.release();
          return response;
        }
        if (next === 'superseded') throw accountReplaced();
        if (sends === mostSends) throw new AccountFault('The sign-in was replaced again and again while it was used. Try again in a moment.');
        renewed ||= next === 'renewed';
      }
    },
  };
}

/** That the vault or the ledger is in trouble is no answer of the server, which is what is made of everything unknown here. */
async function ownTrouble<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AccountFault) throw error;
    const why = error instanceof Fault ? error.message : 'It could not be kept or put on record.';
    throw new AccountFault(`The sign-in could not be renewed, for a reason on this side. ${why} Look with \`toolledger doctor\`, then try again.`);
  }
}

/** @returns null for an answer that does not refuse the token */
async function afterwards({ status, headers }: Response, used: string, renewed: boolean, account: Account): Promise<AfterRefusal | null> {
  if (status === 401) return renewed ? account.lapse(used, 'refused_again', []) : account.renew(used);
  if (status !== 403) return null;
  const challenge = bearerChallenge(headers.get('www-authenticate'));
  return challenge?.error === 'insufficient_scope' ? account.lapse(used, 'insufficient_scope', challenge.scopes) : null;
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
