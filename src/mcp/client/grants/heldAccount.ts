import type { CommandHandler, Origin } from '../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../commands/mcpSignIn/mcpSignIn.js';
import type { AuthorizationParts } from '../authorization/authorizationFetch.js';
import { revokeGrant, type Revocation } from './revokeGrant.js';
import type { ServerToEnd } from './serverInVault.js';
import type { GrantStore } from './storedGrant.js';

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

interface Parts {
  readonly store: Pick<GrantStore, 'read' | 'drop'>;
  readonly handler: CommandHandler;
  readonly authorization: AuthorizationParts;
}

/** Lets who has the turn end an account. */
export function heldAccount({ store, handler, authorization }: Parts): HeldAccount {
  return {
    async end(server, { reason, origin, next, signal }) {
      const { serverId, url } = server;
      const stored = await store.read(serverId);
      const revocation = stored === null || url === null ? 'failed' : await revokeGrant({ ...server, url }, stored.grant, authorization, signal);
      signal?.throwIfAborted();
      // On record first: what is in the vault and not on record is never used, and a start takes it out.
      const { kind } = await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'SignOut', serverId, reason, revocation }], origin);
      // What was signed out before, or is not the account on record, has its end on record too.
      if (stored !== null && kind !== 'recorded') await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'GiveUpTokens', serverId, signInId: stored.grant.signInId, reason, revocation }], origin);
      const ended = stored !== null || kind === 'recorded' ? revocation : null;
      await next?.(ended);
      if (stored !== null) await store.drop(serverId, stored.version);
      return ended;
    },
  };
}
