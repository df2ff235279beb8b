import type { CommandHandler } from '../../../commands/commandHandler.js';
import { defaultClientLimits } from '../../../mcp/client/limits.js';
import type { McpClient } from '../../../mcp/client/remoteServers.js';
import type { OwnerServices } from '../../../operations/services.js';
import type { SignInDoor } from '../../../operations/servers/signIn/signInDoor.js';
import { systemClock } from '../../../platform/time/clock.js';
import { newId } from '../../../platform/ids.js';
import { systemResolve } from '../../../platform/net/guardedLookup.js';
import { scheduleInBackground } from '../../../platform/time/schedule.js';
import type { Vault } from '../../../platform/vault/vault.js';
import { reachServers } from '../../../tools/reachServers.js';
import type { Session } from '../../session.js';
import { requestFailure } from '../../http/requestFailure.js';
import { version } from '../../version.js';
import { lazyRemote } from './lazyRemote.js';
import { serverSecrets } from './serverSecrets.js';
import { lazyDoor, type LazyDoor } from './lazyDoor.js';
import { openSignIns } from './openSignIns.js';
import { targetOf } from './targetOf.js';

/** How long closing waits for the pages of sign-ins, in milliseconds: longer than an exchange takes. */
const pagePatienceMs = 15_000;

/** What is there for remote servers: where they are, how they are reached, who is signed in to them. */
export interface OpenServers extends Pick<OwnerServices, 'secrets' | 'signIns' | 'reach' | 'localReach'> {
  readonly remote: McpClient;
  readonly door: LazyDoor;
  /** Keeps connections away from a port on which this process listens. */
  readonly guardPort: (port: number) => void;
}

interface ServerParts {
  readonly vault: Vault;
  readonly handler: CommandHandler;
  /** What is to be closed, from the last on. */
  readonly closers: (() => unknown)[];
  /** Everything, once it is there: the pages of sign-ins need it. */
  readonly services: () => OwnerServices;
}

/** Opens all that remote servers need. Nothing is dialled and no port listened on until somebody asks. */
export function openServers({ config, log }: Pick<Session, 'config' | 'log'>, { vault, handler, closers, services }: ServerParts): OpenServers {
  const secrets = serverSecrets(vault);
  const ownPorts = new Set(config.port === 0 ? [] : [config.port]);
  const localReach = { localOrigins: config.mcpAllowedLocalOrigins, ownPorts };
  const door = lazyDoor(listenForSignIns);
  const signIns = openSignIns({ vault, handler, clock: systemClock, newId, authorization: { localReach, resolve: systemResolve, version }, door: door.get });
  // Before the vault closes, into which a renewal under way puts what it brings.
  closers.push(() => signIns.grants.close());
  const remote = lazyRemote({
    lookup: (server) => targetOf(server, secrets, signIns),
    resolve: systemResolve,
    reach: localReach,
    schedule: scheduleInBackground,
    clock: systemClock,
    limits: { ...defaultClientLimits, connectMs: config.mcpConnectTimeoutMs, idleMs: config.mcpIdleMs },
    version,
  });
  const reach = reachServers({ handler, remote, clock: systemClock, cooldownMs: config.mcpFailureCooldownMs });
  closers.push(() => reach.settled());
  closers.push(() => remote.close());

  async function listenForSignIns(): Promise<SignInDoor> {
    const { doorAt, openSignInListener } = await import('../../http/signInListener.js');
    const listener = await openSignInListener(services(), config, requestFailure(log));
    // The page that says how it ended is still on its way when the command has its answer.
    closers.push(() => listener.close(AbortSignal.timeout(pagePatienceMs)));
    ownPorts.add(listener.port);
    return doorAt(listener.port, config.publicUrl, false);
  }

  return { secrets, signIns, reach, localReach, remote, door, guardPort: (port) => void ownPorts.add(port) };
}
