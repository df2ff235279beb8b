import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { CommandHandler } from '../../commands/commandHandler.js';
import type { EventStore } from '../../events/eventStore.js';
import { parseVkey } from '../../platform/tlog/noteKey.js';
import type { Vault } from '../../platform/vault/vault.js';
import { makeCosign } from '../../reactors/sealing/cosign.js';
import { makeSealer, type Sealer } from '../../reactors/sealing/sealer.js';
import { openSealFiles, type SealFiles } from '../../reactors/sealing/sealFiles.js';
import { openTreeThread } from '../../reactors/sealing/treeThread.js';
import type { Session } from '../session.js';

/** Where the seals of a data directory lie. */
export function sealFilesOf({ files, config }: Pick<Session, 'files' | 'config'>): SealFiles {
  return openSealFiles(files.seals, config.checkpointLog ?? join(files.seals, 'checkpoints.jsonl'));
}

/** The sealer of a data directory that this process owns. */
export function openSealing(session: Session, { store, handler, vault }: { readonly store: EventStore; readonly handler: CommandHandler; readonly vault: Vault }): { readonly sealer: Sealer; close(): Promise<void> } {
  const { files, config, log } = session;
  const tree = openTreeThread(files.ledger);
  const witnesses = config.sealWitnesses.map(({ url, vkey }) => ({ url, verifier: parseVkey(vkey) }));
  const sealer = makeSealer({
    reader: store,
    handler,
    secrets: vault,
    randomBytes,
    files: sealFilesOf(session),
    grow: (growth) => tree.grow(growth),
    cosign: makeCosign(witnesses, (fields, message) => log.warn(fields, message)),
  });
  return { sealer, close: () => tree.close() };
}
