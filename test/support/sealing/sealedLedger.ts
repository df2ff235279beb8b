import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyAll } from '../../../src/app/reader/verifyAll.js';
import type { CommandHandler, Origin } from '../../../src/commands/commandHandler.js';
import { makeCommandHandler } from '../../../src/commands/handler/ledgerCommandHandler.js';
import { workspaceDecider, workspaceStream } from '../../../src/commands/workspace.js';
import { catalogue } from '../../../src/events/catalogue/catalogue.js';
import type { EventStore } from '../../../src/events/eventStore.js';
import { openSqliteStore } from '../../../src/events/sqlite/openSqliteStore.js';
import { openSqliteReader } from '../../../src/events/sqlite/reading/sqliteReader.js';
import type { LedgerReport } from '../../../src/operations/services.js';
import { findSealLoss, type SealLoss } from '../../../src/reactors/sealing/checking/sealLoss.js';
import { growTree } from '../../../src/reactors/sealing/growTree.js';
import { sealedSoFar } from '../../../src/reactors/sealing/newestSeal.js';
import { makeSealer, type Sealer, type SealerParts } from '../../../src/reactors/sealing/sealer.js';
import { openSealFiles, type SealFiles } from '../../../src/reactors/sealing/sealFiles.js';
import { findSealingKeys, type SecretStore } from '../../../src/reactors/sealing/sealingKeys.js';
import { seededRandom } from '../seededRandom.js';
import { testId } from '../events.js';

export const origin: Origin = { actor: 'system', door: 'system', onBehalfOf: null, workspace: 'local', correlation: null, causation: null };

/** Secrets in memory, as the vault keeps them. */
export function memorySecrets(): SecretStore & { readonly all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    getSecret: async (owner, name) => all.get(`${owner} ${name}`) ?? null,
    putSecret: async (owner, name, value) => void all.set(`${owner} ${name}`, value),
  };
}

/** The same "random" bytes each time. */
export function steadyBytes(seed: number): (size: number) => Buffer {
  const random = seededRandom(seed);
  return (size) => Buffer.from(Array.from({ length: size }, () => random(256)));
}

/** A ledger with its seals in one directory and the checkpoint log in another, that nobody has opened. */
export interface ClosedLedger {
  readonly directory: string;
  readonly file: string;
  readonly seals: string;
  readonly checkpointLog: string;
  readonly secrets: ReturnType<typeof memorySecrets>;
  readonly files: SealFiles;
  verify(options?: { readonly fromCheckpoint: boolean }): Promise<LedgerReport>;
  /** What a start would find missing. */
  loss(): Promise<SealLoss | null>;
  remove(): void;
}

/** The same with its store open. */
export interface SealedLedger extends ClosedLedger {
  readonly store: EventStore;
  readonly handler: CommandHandler;
  /** As a new process has it: it has folded nothing yet. */
  newHandler(): CommandHandler;
  /** A sealer as a new process has it; parts may be others. */
  sealer(parts?: Partial<SealerParts>): Sealer;
  /** Adds workspaces, one event each. */
  add(count: number): Promise<void>;
  close(): Promise<void>;
}

/** What lies in a directory; no thread is started for it. */
export function closedLedger(root: string, secrets: ReturnType<typeof memorySecrets>): ClosedLedger {
  const [file, seals, checkpointLog] = [join(root, 'ledger.db'), join(root, 'seals'), join(root, 'elsewhere', 'checkpoints.jsonl')];
  const files = openSealFiles(seals, checkpointLog);
  return {
    directory: root,
    file,
    seals,
    checkpointLog,
    secrets,
    files,
    async verify(options = { fromCheckpoint: false }) {
      const reader = openSqliteReader(file);
      try {
        return await verifyAll({ file, reader: asynchronousReader(reader), seals: files }, options, () => undefined, new AbortController().signal);
      } finally {
        reader.close();
      }
    },
    async loss() {
      const reader = openSqliteReader(file);
      try {
        const ledger = asynchronousReader(reader);
        return await findSealLoss(ledger, await sealedSoFar(ledger), files, await findSealingKeys(secrets));
      } finally {
        reader.close();
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** @param root where to make it; a directory of its own by default */
export async function openSealedLedger(root = mkdtempSync(join(tmpdir(), 'tl-sealed-')), secrets = memorySecrets()): Promise<SealedLedger> {
  mkdirSync(root, { recursive: true });
  const closed = closedLedger(root, secrets);
  const { file, files } = closed;
  let now = 1_800_000_000_000;
  const clock = { now: () => (now += 1) };
  const store = await openSqliteStore({ file, clock });
  let ids = Number((await store.head())?.position ?? 0) * 10_000;
  const newHandler = (): CommandHandler =>
    makeCommandHandler({ store, keys: { keyOf: async () => null }, catalogue, clock, newId: () => testId((ids += 1)), runner: 'runner-1', cacheSize: 100, soleWriter: true });
  const handler = newHandler();
  let added = ids;
  return {
    ...closed,
    store,
    handler,
    newHandler,
    sealer: (parts = {}) =>
      makeSealer({
        reader: store,
        handler: newHandler(),
        secrets,
        randomBytes: steadyBytes(7),
        files,
        grow: (growth) => growTree((after, limit) => store.readAll(after, limit), growth),
        cosign: async ({ checkpoint }) => checkpoint,
        ...parts,
      }),
    async add(count) {
      for (let left = count; left > 0; left -= 1) {
        added += 1;
        await handler.execute(workspaceDecider, workspaceStream(`g${added}`), [{ type: 'Open', kind: 'guild' }], origin);
      }
    },
    close: () => store.close(),
  };
}

function asynchronousReader(reader: ReturnType<typeof openSqliteReader>) {
  return {
    readStream: async (...args: Parameters<typeof reader.readStream>) => reader.readStream(...args),
    readAll: async (...args: Parameters<typeof reader.readAll>) => reader.readAll(...args),
    head: async () => reader.head(),
    leafAt: async (position: string) => reader.leafAt(position),
    countAfter: async (after: string | null) => reader.countAfter(after),
  };
}
