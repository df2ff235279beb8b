import { tmpdir } from 'node:os';
import { runOperation } from '../../operations/runOperation.js';
import type { OwnerRequest } from '../../owner/protocol.js';
import { socketPlace } from '../../owner/socketPlace.js';
import { openOwnerSocket } from '../../owner/socketServer.js';
import { waitForOwner } from '../../owner/waitForOwner.js';
import { systemClock } from '../../platform/time/clock.js';
import { Fault } from '../../platform/fault.js';
import { newId } from '../../platform/ids.js';
import { scheduleInBackground } from '../../platform/time/schedule.js';
import type { JsonValue } from '../../platform/json.js';
import type { DataFiles } from '../dataFiles.js';
import { systemOrigin } from '../../commands/commandHandler.js';
import { endGrant } from '../../operations/servers/signIn/signingOut/endGrant.js';
import { startForgetting, type ForgettingParts } from '../../reactors/forgetClosedWorkspaces.js';
import { tellOfServers } from '../../reactors/tellOfServers.js';
import { startSealing } from '../../reactors/sealing/sealingReactor.js';
import { makeDataDirectory } from '../dataDirectory.js';
import { announcement } from './announcement.js';
import { watchDisk } from './diskWatch.js';
import { openHttp } from './http.js';
import { doorAt, openSignInListener } from '../http/signInListener.js';
import { startExpiring } from './startExpiring.js';
import { startOwner, type OwnerProcess } from '../owner/owner.js';
import { ownerOperations } from '../owner/ownerOperations.js';
import { wait, waitingFor } from '../owner/ownership.js';
import type { Session } from '../session.js';
import { orFault } from '../../operations/storeFault.js';
import { version } from '../version.js';
import { requestFailure } from '../http/requestFailure.js';

/** How often the lock file is looked at, in milliseconds. */
const lockWatchMs = 1_000;
/** How long running calls may go on after the process was asked to stop, in milliseconds. */
const patienceMs = 30_000;

/**
 * `toolledger serve`: owns the data directory, takes requests on the owner's socket and the HTTP listener, and stops
 * cleanly when asked to.
 * @throws Fault `already_served` when another `serve` owns the directory
 */
export async function serve(session: Session, signal: AbortSignal, announce: (lines: readonly string[]) => void): Promise<void> {
  const { files, config, log } = session;
  makeDataDirectory(files.directory);
  const place = socketPlace(files.directory, tmpdir(), newId);
  const ownership = await waitForOwner(
    files.directory,
    { command: 'serve', socket: place.path, pid: process.pid, clock: systemClock, newId },
    { signal, delay: wait, onWaiting: (owner) => session.notice(waitingFor(owner)) },
  );
  if (ownership.kind === 'busy') throw alreadyServed(ownership.owner.pid, files);
  // Closed from the last on; what is in the same list is closed together, so that no door stays open for another.
  const rounds: ((deadline: AbortSignal) => unknown)[][] = [[ownership.release], [], [], []];
  const [, inside = [], sealing = [], doors = []] = rounds;
  const stopping = new AbortController();
  const unwatch = watchLock(ownership.isHeld, stopping, log);
  try {
    const owner = await startOwner(session, 'apart');
    inside.push((deadline) => owner.close(deadline));
    owner.onRecorded(tellOfServers({ handler: owner.services.handler, info: (fields, message) => log.info(fields, message) }));
    doors.push((deadline) => owner.services.dispatch.drain(deadline));
    const sealTheRest = startSealing({
      sealer: owner.services.sealer,
      store: owner.services.store,
      schedule: scheduleInBackground,
      everyEvents: config.sealEveryEvents,
      everyMs: config.sealEveryMs,
      warn: (fields, message) => log.warn(fields, message),
    });
    // Not when somebody else may be writing. A tree too large for the time there is, is sealed by the next start.
    sealing.push((deadline) => (stopping.signal.aborted ? undefined : Promise.race([sealTheRest(), aborted(deadline)])));
    const http = await openHttp(owner, session);
    doors.push((deadline) => http.close(deadline));
    owner.guardPort(http.port);
    const oauth = config.oauthPort === null ? http : await openSignInListener(owner.services, config, requestFailure(log));
    if (oauth !== http) doors.push((deadline) => oauth.close(deadline));
    owner.guardPort(oauth.port);
    owner.signInAt(doorAt(oauth.port, config.publicUrl, true));
    // After the door for browsers: who asks for a sign-in is told where it is.
    const socket = await openOwnerSocket(place, {
      handle: (request, context) => handleRequest(owner, request, context),
      onInternalError: (error, operation) => log.error({ error, operation }, 'an operation failed in a way the program does not know'),
    });
    doors.push((deadline) => socket.close(deadline));
    // Whoever waits for a browser would keep the socket open for minutes.
    doors.push(() => owner.services.signIns.outcomes.letGo());
    sealing.push(startExpiring(owner.services, scheduleInBackground, (error) => log.warn({ error }, 'sign-ins or accounts that are over could not be ended')));
    // Before the owner closes what it looks in.
    sealing.push(startForgetting({ ...owner.services, accounts: accountsOf(owner.services), schedule: scheduleInBackground, warn: (fields, message) => log.warn(fields, message) }));
    const unwatchDisk = watchDisk(files.directory, log, scheduleInBackground);
    inside.push(unwatchDisk);
    announce(announcement({ directory: files.directory, port: http.port, signIns: config.oauthPort === null && config.publicUrl === null ? null : { port: oauth.port, publicUrl: config.publicUrl } }));
    log.info({ version, data: files.directory, port: http.port }, 'serving');
    await aborted(AbortSignal.any([signal, stopping.signal]));
    log.info({ running: owner.services.dispatch.inFlight() }, 'stopping');
  } finally {
    const deadline = AbortSignal.timeout(patienceMs);
    unwatch();
    for (const round of rounds.reverse()) await Promise.all(round.map((close) => close(deadline)));
  }
  log.info({}, 'stopped');
  if (stopping.signal.aborted) throw stopping.signal.reason;
}

/** Stops when the lock file is not the one that is held any more: somebody else may be writing. */
function watchLock(isHeld: () => boolean, stopping: AbortController, log: Session['log']): () => void {
  let cancel: () => void;
  const look = (): void => {
    if (isHeld()) {
      cancel = scheduleInBackground(lockWatchMs, look);
      return;
    }
    const lost = new Fault('failed', 'lock_removed', 'The lock file was removed or replaced while this process owned the data directory, so it stops. Never delete owner.lock while something runs; start again.');
    log.error({ error: lost }, 'stopping');
    stopping.abort(lost);
  };
  cancel = scheduleInBackground(lockWatchMs, look);
  return () => cancel();
}

function accountsOf({ signIns, secrets }: OwnerProcess['services']): ForgettingParts['accounts'] {
  return {
    end: ({ workspace, serverId }, signal) => endGrant({ signIns, secrets }, serverId, { reason: 'workspace_closed', origin: systemOrigin(workspace), signal }),
    forgetClients: (workspace) => signIns.clients.forgetAll(workspace),
  };
}

async function handleRequest(
  owner: OwnerProcess,
  { operation: name, input, caller }: OwnerRequest,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (progress: JsonValue) => void },
): Promise<JsonValue> {
  const operation = ownerOperations.get(name);
  if (operation === undefined) {
    throw new Fault('usage', 'unknown_operation', `The running toolledger knows no operation "${name}". Is it another version than this command?`);
  }
  const user = caller['onBehalfOf'];
  const onBehalfOf = typeof user === 'string' ? await owner.subjectOf(user) : null;
  const done = runOperation(operation, owner.services, input, { caller: { actor: owner.operator, door: 'cli', onBehalfOf }, signal, progress });
  return (await orFault(done)) as JsonValue;
}

function alreadyServed(pid: number, { directory }: DataFiles): Fault {
  return new Fault(
    'failed',
    'already_served',
    `${directory} is already served by process ${pid}. Stop that one first, or name another data directory with --data.`,
    { pid, directory },
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
