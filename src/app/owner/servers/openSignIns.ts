import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { CommandHandler } from '../../../commands/commandHandler.js';
import type { AuthorizationParts } from '../../../mcp/client/authorization/authorizationFetch.js';
import { clientStore } from '../../../mcp/client/grants/clientStore.js';
import { makeGrants } from '../../../mcp/client/grants/grants.js';
import { grantStore } from '../../../mcp/client/grants/storedGrant.js';
import { signInStore } from '../../../operations/servers/signIn/pending/signInStore.js';
import { sharedPresses } from '../../../operations/servers/signIn/sharedPresses.js';
import { signInOutcomes } from '../../../operations/servers/signIn/signInOutcomes.js';
import type { SignInServices } from '../../../operations/servers/signIn/signInServices.js';
import type { SignInDoor } from '../../../operations/servers/signIn/signInDoor.js';
import type { Clock } from '../../../platform/time/clock.js';
import { scheduleInBackground } from '../../../platform/time/schedule.js';
import type { NewId } from '../../../platform/ids.js';
import type { Vault } from '../../../platform/vault/vault.js';

interface SignInParts {
  readonly vault: Vault;
  readonly handler: CommandHandler;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly authorization: AuthorizationParts;
  readonly door: () => Promise<SignInDoor>;
}

/** What signing in at servers works with, over the vault. */
export function openSignIns({ vault, handler, clock, newId, authorization, door }: SignInParts): SignInServices {
  const stored = grantStore(vault);
  const clients = clientStore(vault);
  const isErased = async (subject: string): Promise<boolean> => (await vault.keyOf(subject)) === null;
  const pause = async (ms: number): Promise<void> => wait(ms);
  return {
    pending: signInStore(vault),
    outcomes: signInOutcomes(),
    pressed: sharedPresses(),
    clients,
    stored,
    grants: makeGrants({ store: stored, clients, secrets: vault, handler, clock, newId, wait: pause, schedule: scheduleInBackground, authorization, isErased, urlOf: (serverId) => vault.getSecret(serverId, 'url') }),
    authorization,
    randomBytes,
    door,
  };
}
