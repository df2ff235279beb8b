import { resolve } from 'node:path';
import type { z } from 'zod';
import type { OpenToolledger, Toolledger } from '../cli/toolledger.js';
import { awaitViews } from '../operations/views/awaitViews.js';
import type { Invocation, Invoke, Operation, Reach, ServicesByReach } from '../operations/operation.js';
import { runOperation } from '../operations/runOperation.js';
import type { OwnerConnection } from '../owner/socketClient.js';
import type { Config } from '../platform/config.js';
import { Fault } from '../platform/fault.js';
import type { JsonValue } from '../platform/json.js';
import type { Log } from '../platform/log.js';
import { acceptKeyLoss } from './keys/acceptKeyLoss.js';
import { restoreKeys } from './keys/restoreKeys.js';
import { rotateKeys } from './keys/rotateKeys.js';
import { acceptLoss } from './owner/acceptLoss.js';
import { dataFiles } from './dataFiles.js';
import { examine } from './doctor.js';
import { restoreLedger } from './owner/restoring/restoreLedger.js';
import type { OwnerProcess } from './owner/owner.js';
import { withOwnership } from './owner/ownership.js';
import { openHistoryReader } from './reader/historyReader.js';
import { openLedgerReader } from './reader/ledgerReader.js';
import type { Session } from './session.js';
import { orFault, storeFault } from '../operations/storeFault.js';
import { openViewReader } from './reader/viewReader.js';

/** How one operation is asked for; absent parts take their defaults. */
interface Asked {
  readonly onBehalfOf: string | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: JsonValue) => void;
}

/**
 * The product on one data directory, for the command line. A command that changes something goes to the owner, or
 * becomes the owner while it runs; a command that reads opens what the owner has brought up to date.
 * @param problem what is wrong with the settings, for `doctor`
 */
export function openToolledger(config: Config, log: Log, problem: Fault | null = null): OpenToolledger {
  return ({ dataDir, command, notice }) => {
    const session: Session = { files: dataFiles(dataDir ?? config.dataDirectory), config, log, command, notice };
    const invoke = async (operation: Operation, input: unknown, options: Partial<Asked> = {}): Promise<unknown> => {
      const asked: Asked = { onBehalfOf: null, signal: new AbortController().signal, onProgress: () => undefined, ...options };
      try {
        return await ways[operation.reach](session, operation as never, input, asked);
      } catch (error) {
        const fault = storeFault(error);
        if (!(fault instanceof Fault) && !asked.signal.aborted) log.error({ error, operation: operation.name }, 'a command failed in a way the program does not know');
        throw fault;
      }
    };
    const toolledger: Toolledger = {
      invoke: invoke as Invoke,
      // Loaded when needed: a command that reads, or that somebody else carries out, starts in half the time.
      serve: async (signal, announce) => orFault((await import('./serve/serve.js')).serve(session, signal, announce)),
      doctor: () => examine(session, problem),
      acceptLoss: () => acceptLoss(session),
      acceptKeyLoss: () => orFault(acceptKeyLoss(session)),
      restoreKeys: (backup, force) => orFault(restoreKeys(session, resolve(backup), force)),
      rotateKeys: (newKey) => rotateKeys(session, newKey),
      restoreLedger: (backup, options) => orFault(restoreLedger(session, backup, options)),
    };
    return toolledger;
  };
}

type Way<R extends Reach> = (session: Session, operation: Operation<R>, input: unknown, asked: Asked) => Promise<unknown>;

const ways: { readonly [R in Reach]: Way<R> } = {
  owner: (session, operation, input, asked) =>
    withOwnership(session, asked.signal, {
      owned: () => asOwner(session, operation, asked, (owner, invocation) => runOperation(operation, owner.services, input, invocation)),
      connected: async (connection) => operation.output.parse(await request(connection, operation, input, asked)),
    }),

  async views(session, operation, input, asked) {
    let isFolded = true;
    try {
      const done = await withOwnership(session, asked.signal, {
        owned: () =>
          asOwner(session, operation, asked, async (owner, invocation) => {
            sayLeftBehind(session, await runOperation(awaitViews, owner.services, {}, invocation));
            return { output: await runOperation(operation, owner.viewServices, input, invocation) };
          }),
        connected: async (connection) => {
          sayLeftBehind(session, awaitViews.output.parse(await request(connection, awaitViews, {}, asked)));
          return null;
        },
      });
      if (done !== null) return done.output;
    } catch (error) {
      if (!mayNotWrite(error)) throw error;
      isFolded = false;
    }
    return read(openViewReader(session, isFolded), operation, input, asked);
  },

  ledger: (session, operation, input, asked) => read(openLedgerReader(session), operation, input, asked),

  history: (session, operation, input, asked) => read(openHistoryReader(session), operation, input, asked),
};

/** A process's view of what is there, open as long as one operation takes. */
interface Reader<R extends Reach> {
  readonly services: ServicesByReach[R];
  readonly caller: Invocation['caller'];
  close(): void;
}

async function read<R extends Reach>(reader: Reader<R>, operation: Operation<R>, input: unknown, { signal, onProgress }: Asked): Promise<unknown> {
  try {
    return await runOperation(operation, reader.services, input, { caller: reader.caller, signal, progress: onProgress });
  } finally {
    reader.close();
  }
}

async function asOwner<T>(session: Session, { isLong = false }: Pick<Operation, 'isLong'>, asked: Asked, work: (owner: OwnerProcess, invocation: Invocation) => Promise<T>): Promise<T> {
  const { startOwner } = await import('./owner/owner.js');
  const owner = await startOwner(session, isLong ? 'apart' : 'here');
  try {
    const onBehalfOf = asked.onBehalfOf === null ? null : await owner.subjectOf(asked.onBehalfOf);
    return await work(owner, { caller: { actor: owner.operator, door: 'cli', onBehalfOf }, signal: asked.signal, progress: asked.onProgress });
  } finally {
    await owner.close();
  }
}

async function request(connection: OwnerConnection, operation: Operation, input: unknown, { onBehalfOf, signal, onProgress }: Asked): Promise<JsonValue> {
  try {
    return await connection.request({ operation: operation.name, input: input as JsonValue, caller: { onBehalfOf } }, { signal, onProgress });
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'owner_lost') throw error;
    throw new Fault(error.kind, error.code, `${error.message} ${operation.ifLost ?? 'Look whether it was before you repeat it.'}`, error.details, { cause: error });
  }
}

/** What is shown is then older than the ledger, and looks no different. */
function sayLeftBehind({ notice }: Session, { leftBehind }: z.output<typeof awaitViews.output>): void {
  for (const { view, why } of leftBehind) notice(`The view ${view} cannot follow the ledger now (${why}): what is shown of it may be older.`);
}

const noWriting = new Set(['cannot_own', 'cannot_open', 'cannot_reach_owner']);

function mayNotWrite(error: unknown): boolean {
  return error instanceof Fault && noWriting.has(error.code);
}
