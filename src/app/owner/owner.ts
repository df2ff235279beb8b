import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { catalogue } from '../../events/catalogue/catalogue.js';
import type { EventStore } from '../../events/eventStore.js';
import { openSqliteStore } from '../../events/sqlite/openSqliteStore.js';
import { makeLedgerRecords } from '../../commands/toolCall/ledgerRecords.js';
import { makeCommandHandler } from '../../commands/handler/ledgerCommandHandler.js';
import { workspaceDecider, workspaceStream } from '../../commands/workspace.js';
import type { OwnerServices, ViewServices } from '../../operations/services.js';
import { systemClock } from '../../platform/time/clock.js';
import { Fault } from '../../platform/fault.js';
import { newId } from '../../platform/ids.js';
import { systemResolve } from '../../platform/net/guardedLookup.js';
import { schedule } from '../../platform/time/schedule.js';
import { discardDraft } from '../../platform/vault/backup/draftVault.js';
import type { ThreadPlace } from '../../platform/threads/startThread.js';
import { openVault } from '../../platform/vault/vault.js';
import { closeOrphans } from '../../reactors/closeOrphans.js';
import { finishDrops } from '../../reactors/retention/dropExpired.js';
import { findSealingKeys } from '../../reactors/sealing/sealingKeys.js';
import type { Views } from '../../projections/views.js';
import { openViews } from '../../projections/projectionViews.js';
import { builtInTools } from '../../tools/builtin/all.js';
import { makeDispatch } from '../../tools/dispatch.js';
import { recordBuiltIns } from '../../tools/recordBuiltIns.js';
import { makeToolRegistry } from '../../tools/registry.js';
import { applyErasures, readErasures } from './erasures.js';
import { openBoxesLater } from '../reader/boxes.js';
import { refuseForeignKeys, refuseMissingKeys } from './keysMatch.js';
import { refuseLoss } from './loss.js';
import { openSealing, sealFilesOf } from './sealing.js';
import { refuseSealLoss } from './sealLoss.js';
import { openServers } from './servers/openServers.js';
import { settleSignIns } from '../../operations/servers/signIn/ending/settleSignIns.js';
import type { SignInDoor } from '../../operations/servers/signIn/signInDoor.js';
import type { Session } from '../session.js';
import { systemOrigin, type Recorded } from '../../commands/commandHandler.js';

/** How long closing waits for the views, in milliseconds. */
const foldingPatienceMs = 10_000;
/** Most folded streams kept in memory. */
const keptStreams = 10_000;

/** Everything that runs in the process that owns a data directory. */
export interface OwnerProcess {
  readonly services: OwnerServices;
  readonly viewServices: ViewServices;
  /** The subject that stands for the operator of this machine. */
  readonly operator: string;
  /** Keeps MCP connections away from a port on which this process listens. */
  guardPort(port: number): void;
  /** Tells where browsers reach the pages of sign-ins; otherwise they are listened for when somebody first signs in. */
  signInAt(door: SignInDoor): void;
  /** Tells one listener of what is recorded from now on. */
  onRecorded(listener: (recorded: Recorded) => void): void;
  /** The subject of a person by the chat service's id; made at the first time. */
  subjectOf(user: string): Promise<string>;
  /**
   * Lets running calls finish, then closes everything in the order in which nothing is lost.
   * @param deadline when it aborts, running calls are told to stop
   */
  close(deadline?: AbortSignal): Promise<void>;
}

/**
 * Starts everything over a data directory that this process owns: checks that the ledger has lost nothing, lets the
 * views catch up, and closes the calls that a dead process left open.
 * @param place where the ledger and the views work: here when this process serves nobody else
 * @throws Fault `ledger_incomplete` before anything is changed, and those of the vault and the store
 */
export async function startOwner(session: Session, place: ThreadPlace): Promise<OwnerProcess> {
  const { files, config, log } = session;
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const closeOne of closers.reverse()) await closeOne();
    closers.length = 0;
  };
  try {
    discardDraft(files.keys);
    refuseMissingKeys(files);
    const isNew = config.masterKey === null && !existsSync(files.masterKey);
    const vault = openVault({ file: files.keys, masterKeyFile: files.masterKey, masterKey: config.masterKey, clock: systemClock });
    if (isNew) session.notice(newMasterKey(files.masterKey));
    closers.push(() => vault.close());
    const store = await openSqliteStore({ file: files.ledger, clock: systemClock, place });
    closers.push(() => store.close());
    await refuseLoss(store, files);
    await refuseSealLoss(store, sealFilesOf(session), await findSealingKeys(vault));
    const erasures = await readErasures(store, vault);
    await refuseForeignKeys(store, vault, files, erasures);
    await applyErasures(store, vault, erasures);
    const views = await openViews({
      engine: { kind: 'sqlite', file: files.ledger },
      vault: { file: files.keys, masterKeyFile: files.masterKey, masterKey: config.masterKey },
      directory: files.readModels,
      callText: config.callTextIndex,
      store,
      place,
      note: (message, details) => log.warn({ ...details }, message),
    });
    closers.push(() => views.close());

    const operator = await vault.subjectFor({ kind: 'operator', id: 'local' });
    const runner = newId();
    let listener: (recorded: Recorded) => void = () => undefined;
    const handler = makeCommandHandler({ store, keys: vault, catalogue, clock: systemClock, newId, runner, cacheSize: keptStreams, soleWriter: true, onRecorded: (recorded) => listener(recorded) });
    const origin = systemOrigin('local');
    const registry = makeToolRegistry(builtInTools);
    await recordBuiltIns(handler, registry, origin);
    const local = await handler.load(workspaceDecider, workspaceStream('local'));
    if (local.state.status === 'unknown') {
      await handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Open', kind: 'local' }], origin);
    }
    await finishDrops({ store, handler });
    const head = await store.head();
    if (head !== null) await views.caughtUpTo(head.position, { views: ['toolCallLog'] });
    const closed = await closeOrphans({ handler, openCalls: await views.openCalls(), runner });
    if (closed > 0) log.warn({ calls: closed }, 'a process that is gone left calls open; their outcome is unknown');

    const sealing = openSealing(session, { store, handler, vault });
    closers.push(() => sealing.close());

    const { remote, reach, secrets, signIns, localReach, door, guardPort } = openServers(session, { vault, handler, closers, services: () => services });
    const dispatch = makeDispatch({
      handler,
      registry,
      remote,
      reach,
      keys: vault,
      records: makeLedgerRecords({ reader: store, keys: vault, catalogue }),
      writable: () => store.writable(),
      clock: systemClock,
      newId,
      schedule,
      resolve: systemResolve,
      randomInt: (below) => randomInt(below),
      policy: config.definitionPolicy,
      timeouts: { builtInMs: config.toolTimeoutMs, remoteMs: config.mcpCallTimeoutMs },
      warn: (fields, message) => log.warn(fields, message),
    });
    const people = { findPerson: (id: string) => vault.findSubject({ kind: 'discord', id }) };
    const services: OwnerServices = {
      clock: systemClock,
      newId,
      store,
      handler,
      sealer: sealing.sealer,
      prover: sealing.prover,
      dispatch,
      views,
      remote,
      reach,
      probe: (target, signal) => remote.probe(target, signal),
      secrets,
      signIns,
      schedule,
      localReach,
      people,
      held: vault,
      vault,
      openBoxes: openBoxesLater(vault),
      registry,
      definitionPolicy: config.definitionPolicy,
      limits: { mcpServersPerWorkspace: config.maxMcpServers },
      retention: config.retention,
    };
    // This process is the only one here: whoever had a lease is gone.
    await vault.endLeases();
    await settleSignIns(services, (error) => log.warn({ error }, 'a sign-in that a process left could not be finished; the next start tries again'));
    return {
      services,
      viewServices: { views, held: vault, clock: systemClock, people, registry, definitionPolicy: config.definitionPolicy },
      operator,
      guardPort,
      signInAt: door.use,
      onRecorded: (wanted) => {
        listener = wanted;
      },
      subjectOf: (user) => vault.subjectFor({ kind: 'discord', id: userId(user) }),
      async close(deadline) {
        await dispatch.drain(deadline);
        await foldTheRest(store, views);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Lets the views see the newest events before they are closed: what no view has seen can be cut off unnoticed, and the
 * next process would have to fold it first.
 */
async function foldTheRest(store: Pick<EventStore, 'head'>, views: Pick<Views, 'caughtUpTo'>): Promise<void> {
  try {
    const head = await store.head();
    if (head !== null) await views.caughtUpTo(head.position, { signal: AbortSignal.timeout(foldingPatienceMs) });
  } catch {
    // Closing goes on: a view that is halted or too slow is no reason to stay.
  }
}

function newMasterKey(file: string): string {
  return `The master key was made in ${file}. Copy it to another place now: without it nothing sealed can ever be read. \`toolledger keys backup FILE\` copies the keys that it opens.`;
}

/** @throws Fault `invalid_user` */
function userId(text: string): string {
  if (/^[A-Za-z0-9._:@-]{1,128}$/.test(text)) return text;
  throw new Fault('usage', 'invalid_user', 'A user is named by the id that the chat service gives: 1 to 128 letters, digits and . _ : @ -.');
}
