import type { CommandHandler, Origin } from '../../commands/commandHandler.js';
import { ledgerSealDecider, ledgerSealStream, type Seal } from '../../commands/ledgerSeal.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { canonicalHeader } from '../../events/leaf.js';
import { checkProof, type ProvenCall } from '../../events/proof/checkProof.js';
import { proofText, type ProofEntry } from '../../events/proof/proofFile.js';
import { Fault } from '../../platform/fault.js';
import { inclusionProof } from '../../platform/tlog/merkleProof.js';
import { parseVkey, type NoteVerifier } from '../../platform/tlog/noteKey.js';
import { knownSigners, noteText, parseNote } from '../../platform/tlog/signedNote.js';
import { tileHashes } from '../../platform/tlog/tileHashes.js';
import { openTileStore } from '../../platform/tlog/tileStore.js';
import { tlogProofText } from '../../platform/tlog/tlogProof.js';
import { keyRotations } from './keyRotations.js';
import type { SealFiles } from './sealFiles.js';
import type { Sealer } from './sealer.js';
import { expectedSigner, findOrMakeSealingKeys, type SecretStore } from './sealingKeys.js';

export interface ProverParts {
  readonly reader: Pick<EventReader, 'countAfter' | 'readStream'>;
  readonly handler: CommandHandler;
  readonly secrets: SecretStore;
  readonly randomBytes: (size: number) => Buffer;
  readonly files: SealFiles;
  readonly sealer: Pick<Sealer, 'cover'>;
  /** Those whose signatures go along. */
  readonly witnesses: readonly NoteVerifier[];
}

/** A key that opens one box: whose, and base64 of 32 bytes. */
export type BoxKey = ProofEntry['opened'][number];

/** Makes proof files; see `proofFile.ts`. */
export interface Prover {
  /**
   * Proves the whole of a stream, sealing first when no seal covers it.
   * @param events of one stream, from its first on
   * @param opened which of its boxes the proof opens
   * @returns the proof's text, and what it says, checked as its reader will check it
   * @throws Fault those of the sealer, `tile_missing`; `damaged` `proof_invalid` when the ledger is not what was sealed
   */
  prove(events: readonly RecordedEvent[], opened: (event: RecordedEvent) => readonly BoxKey[], origin: Origin): Promise<{ readonly text: string; readonly says: ProvenCall }>;
}

export function makeProver({ reader, handler, secrets, randomBytes, files, sealer, witnesses }: ProverParts): Prover {
  /** Where the event is among all, from 0. */
  async function indexOf({ position }: RecordedEvent): Promise<number> {
    for (;;) {
      const all = await reader.countAfter(null);
      const behind = await reader.countAfter(position);
      // Something was added between the two.
      if ((await reader.countAfter(null)) === all) return all - behind - 1;
    }
  }

  /** The checkpoint with the signatures that the proof's reader can check, and whose they are. */
  async function cosigned({ epoch, checkpoint }: Seal): Promise<{ readonly checkpoint: string; readonly witnesses: readonly string[] }> {
    const published = await files.published(epoch);
    if (published?.startsWith(checkpoint) !== true) return { checkpoint, witnesses: [] };
    const own = parseNote(checkpoint);
    const known = parseNote(published).signatures.slice(own.signatures.length).flatMap((signature) => {
      const [witness] = knownSigners({ text: own.text, signatures: [signature] }, witnesses);
      return witness === undefined ? [] : [{ signature, witness }];
    });
    return {
      checkpoint: noteText({ ...own, signatures: [...own.signatures, ...known.map(({ signature }) => signature)] }),
      witnesses: known.map(({ witness }) => witness.vkey),
    };
  }

  return {
    async prove(events, opened, origin) {
      const last = events.at(-1);
      if (last === undefined) throw new RangeError('A proof is about at least one event.');
      const seal = await sealer.cover(last.position, origin);
      const { state } = await handler.load(ledgerSealDecider, ledgerSealStream);
      const { signer } = expectedSigner(await findOrMakeSealingKeys(secrets, randomBytes, state.key), seal.epoch, seal.key, false);
      const { checkpoint, witnesses: cosigners } = await cosigned(seal);
      const store = openTileStore(files.logDirectory(seal.epoch));
      const subtree = tileHashes(seal.size, (tile) => store.read(tile));
      const entries: ProofEntry[] = [];
      for (const event of events) {
        const index = await indexOf(event);
        const proof = tlogProofText({ index, path: inclusionProof(index, seal.size, subtree), checkpoint });
        entries.push({ header: canonicalHeader(event, event), data: event.data, boxes: event.boxes, opened: [...opened(event)], proof });
      }
      const key = parseVkey(seal.key).vkey;
      const rotations = (await keyRotations(reader, seal.epoch)).map(({ from, statement }) => ({ from, statement }));
      const text = proofText({ key, rotations, witnesses: [...cosigners], entries }, signer);
      return { text, says: checked(text, key) };
    },
  };
}

/** A proof that would not hold is not handed out. */
function checked(text: string, key: string): ProvenCall {
  try {
    return checkProof(text, key);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault('damaged', error.code, `No proof can be made: the ledger is not what was sealed. ${error.message} Run \`toolledger ledger verify\`.`, error.details);
  }
}
