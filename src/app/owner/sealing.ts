import { randomBytes } from 'node:crypto';
import type { CommandHandler } from '../../commands/commandHandler.js';
import type { EventStore } from '../../events/eventStore.js';
import { parseVkey } from '../../platform/tlog/noteKey.js';
import type { Vault } from '../../platform/vault/vault.js';
import { makeCosign } from '../../reactors/sealing/cosign.js';
import { makeProver, type Prover } from '../../reactors/sealing/prover.js';
import { makeSealer, type Sealer } from '../../reactors/sealing/sealer.js';
import { openSealFiles, type SealFiles } from '../../reactors/sealing/sealFiles.js';
import { openTreeThread } from '../../reactors/sealing/treeThread.js';
import type { Session } from '../session.js';

/** Where the seals of a data directory lie. */
export function sealFilesOf({ files, config }: Pick<Session, 'files' | 'config'>): SealFiles {
  return openSealFiles(files.seals, config.checkpointLog);
}

/** What signs the ledger, and proves from what was signed. */
export interface Sealing {
  readonly sealer: Sealer;
  readonly prover: Prover;
  close(): Promise<void>;
}

/** The sealing of a data directory that this process owns. */
export function openSealing(session: Session, { store, handler, vault }: { readonly store: EventStore; readonly handler: CommandHandler; readonly vault: Vault }): Sealing {
  const { files, config, log } = session;
  const tree = openTreeThread(files.ledger);
  const witnesses = config.sealWitnesses.map(({ url, vkey }) => ({ url, verifier: parseVkey(vkey) }));
  const shared = { reader: store, handler, secrets: vault, randomBytes, files: sealFilesOf(session) };
  const sealer = makeSealer({
    ...shared,
    grow: (growth) => tree.grow(growth),
    cosign: makeCosign(witnesses, (fields, message) => log.warn(fields, message)),
  });
  const prover = makeProver({ ...shared, sealer, witnesses: witnesses.map(({ verifier }) => verifier) });
  return { sealer, prover, close: () => tree.close() };
}
