import type { CommandHandler, Origin } from '../../commands/commandHandler.js';
import { ledgerOperationsDecider, ledgerOperationsStream } from '../../commands/ledgerOperations.js';
import { ledgerSealDecider, ledgerSealStream, type LedgerSealState, type Seal } from '../../commands/ledgerSeal.js';
import { comparePositions, type Position } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { nextKeyText } from '../../events/proof/keyChain.js';
import { Fault } from '../../platform/fault.js';
import { checkpointText } from '../../platform/tlog/checkpoint.js';
import { noteText, signNote } from '../../platform/tlog/signedNote.js';
import { refuseCutLog } from './checking/cutLog.js';
import type { Growth, LedgerTree } from './growTree.js';
import type { SealFiles } from './sealFiles.js';
import { expectedSigner, findOrMakeSealingKeys, newSeed, saveSealingKeys, signerOf, type SecretStore } from './sealingKeys.js';

/** What a sealer needs. */
export interface SealerParts {
  readonly reader: Pick<EventReader, 'head' | 'countAfter' | 'readStream'>;
  readonly handler: CommandHandler;
  readonly secrets: SecretStore;
  readonly randomBytes: (size: number) => Buffer;
  readonly files: SealFiles;
  /** Computes the tree off this thread; see `growTree`. */
  readonly grow: (growth: Growth) => Promise<LedgerTree>;
  /** Asks witnesses to sign a checkpoint that is published; gives it back with their signatures, and never throws. */
  readonly cosign: (seal: Seal, directory: string) => Promise<string>;
}

/** The newest seal there is now, and whether it was made just now. */
export interface Sealed {
  readonly seal: Seal;
  readonly isNew: boolean;
}

/** Signs the ledger's head. Whatever it was doing when a process died, the next seal completes. */
export interface Sealer {
  /**
   * Seals what was added since the last seal. In this order: the tree's tiles are on the disk, the seal is in the ledger,
   * the checkpoint is given out, witnesses are asked. So a checkpoint that anybody has seen is in the ledger.
   * @returns null when the ledger is empty
   * @throws Fault `sealing_key_lost`, `seal_not_published`, `checkpoint_log_cut`, those of `growTree`; EventStoreError
   */
  seal(origin: Origin): Promise<Sealed | null>;
  /** Puts a new key in place of the one that signs now, which vouches for it; then seals. Throws as `seal`. */
  rotateKey(origin: Origin): Promise<Sealed | null>;
  /** The newest seal when it covers a position and its key still signs, otherwise a new one. Throws as `seal`. */
  cover(position: Position, origin: Origin): Promise<Seal>;
  /** The newest seal of the present epoch, or null. */
  latest(): Promise<Seal | null>;
  /** How many events, other than the seal itself, came after the newest seal. */
  unsealed(): Promise<number>;
}

export function makeSealer(parts: SealerParts): Sealer {
  const { reader, handler, secrets, randomBytes, files } = parts;
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const run = last.then(work, work);
    last = run;
    return run;
  };

  async function present(): Promise<Present> {
    const { epoch } = (await handler.load(ledgerOperationsDecider, ledgerOperationsStream)).state;
    const { state } = await handler.load(ledgerSealDecider, ledgerSealStream);
    return { epoch, state, seal: state.last?.epoch === epoch ? state.last : null };
  }

  async function unsealed({ seal }: Present): Promise<number> {
    if (seal === null) return reader.countAfter(null);
    // The seal itself lies behind what it covers.
    return Math.max(0, (await reader.countAfter(seal.position)) - 1);
  }

  /** Gives out a seal that is in the ledger, unless that was done. */
  async function publish(seal: Seal): Promise<void> {
    try {
      if (!(await files.newestLogged()).includes(seal.checkpoint)) await files.addToLog(seal.checkpoint);
      if ((await files.published(seal.epoch))?.startsWith(seal.checkpoint) !== true) await files.publish(seal.epoch, seal.checkpoint);
    } catch (error) {
      const cause = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      throw new Fault('failed', 'seal_not_published', `The seal is in the ledger, but its checkpoint could not be written (${cause}). Check the seals directory and CHECKPOINT_LOG; the next seal writes it.`, { cause }, { cause: error });
    }
  }

  async function sealNow(origin: Origin): Promise<Sealed | null> {
    // What was cut is not hidden by going on behind it.
    await refuseCutLog(reader, files);
    const now = await present();
    if (now.seal !== null) await publish(now.seal);
    const head = await reader.head();
    if (head === null) return null;
    if (now.seal !== null && (await unsealed(now)) === 0) {
      // Adds nothing, and makes tiles again that are gone.
      await parts.grow({ directory: files.logDirectory(now.epoch), from: now.seal, upTo: now.seal.position });
      return { seal: now.seal, isNew: false };
    }

    const { epoch } = now;
    const keys = await findOrMakeSealingKeys(secrets, randomBytes, now.state.key);
    const { signer, seed } = expectedSigner(keys, epoch, now.state.key, now.seal === null);
    // A rotation that is on record is over.
    if (keys.seeds.length > 1 && seed === keys.seeds[1]) await saveSealingKeys(secrets, { ...keys, seeds: [seed] });
    const directory = files.logDirectory(epoch);
    const tree = await parts.grow({ directory, from: now.seal, upTo: head.position });
    const { name: logOrigin, vkey } = signer.verifier;
    const checkpoint = noteText(signNote(checkpointText({ origin: logOrigin, size: tree.size, root: Buffer.from(tree.root, 'hex') }), signer));
    const seal: Seal = { epoch, ...tree, key: vkey, checkpoint, log: files.log.id };
    const { last: before } = now.state;
    const outcome = await handler.execute(ledgerSealDecider, ledgerSealStream, [{ type: 'Seal', seal, follows: before && { epoch: before.epoch, size: before.size } }], origin);
    // Somebody else sealed meanwhile: what was signed here is given to nobody.
    if (outcome.kind !== 'recorded') return outcome.state.last && { seal: outcome.state.last, isNew: false };
    await publish(seal);
    const cosigned = await parts.cosign(seal, directory);
    if (cosigned !== checkpoint) await files.publish(epoch, cosigned);
    return { seal, isNew: true };
  }

  async function coverNow(position: Position, origin: Origin): Promise<Seal> {
    const { seal, state } = await present();
    if (seal !== null && seal.key === state.key && comparePositions(seal.position, position) >= 0) return seal;
    const sealed = await sealNow(origin);
    if (sealed === null) throw new RangeError('An event that is in the ledger can be sealed.');
    return sealed.seal;
  }

  async function rotateNow(origin: Origin): Promise<Sealed | null> {
    if ((await sealNow(origin)) === null) return null;
    const { epoch, state } = await present();
    const found = await findOrMakeSealingKeys(secrets, randomBytes, state.key);
    const { signer, seed } = expectedSigner(found, epoch, state.key, false);
    // In the vault before it is on record; a next key left over from a crash was never on record.
    const next = newSeed(randomBytes);
    const keys = { ...found, seeds: [seed, next] };
    await saveSealingKeys(secrets, keys);
    const to = signerOf(keys, epoch, next).verifier.vkey;
    const rotation = { epoch, from: signer.verifier.vkey, to, statement: noteText(signNote(nextKeyText(to), signer)) };
    await handler.execute(ledgerSealDecider, ledgerSealStream, [{ type: 'RotateKey', rotation }], origin);
    return sealNow(origin);
  }

  return {
    seal: (origin) => inOrder(() => sealNow(origin)),
    rotateKey: (origin) => inOrder(() => rotateNow(origin)),
    cover: (position, origin) => inOrder(() => coverNow(position, origin)),
    latest: async () => (await present()).seal,
    unsealed: async () => unsealed(await present()),
  };
}

interface Present {
  readonly epoch: number;
  readonly state: LedgerSealState;
  /** The newest seal of this epoch. */
  readonly seal: Seal | null;
}
