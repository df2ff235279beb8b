import type { Seal } from '../../commands/ledgerSeal.js';
import { counted } from '../../platform/text/counted.js';
import { consistencyProof } from '../../platform/tlog/merkleProof.js';
import { noteText, parseNote } from '../../platform/tlog/signedNote.js';
import { tileHashes } from '../../platform/tlog/tileHashes.js';
import { openTileStore } from '../../platform/tlog/tileStore.js';
import { askWitness, type Witness, type WitnessAnswer } from '../../platform/tlog/witnessClient.js';

type Warn = (fields: { readonly [name: string]: unknown }, message: string) => void;

const noProof = (): WitnessAnswer => ({ kind: 'refused', why: 'no consistency proof could be made; are the tiles there?' });

/**
 * Asks every witness, side by side, to sign a checkpoint. One that cannot is named in the log; the checkpoint stands
 * without it, and it is asked again with the next one.
 * @returns asks about a seal whose tiles lie in `directory`; gives the checkpoint with the signatures there are
 */
export function makeCosign(witnesses: readonly Witness[], warn: Warn): (seal: Seal, directory: string) => Promise<string> {
  /** What each has signed last, by its URL and the log. */
  const signed = new Map<string, number>();

  async function ask(witness: Witness, { size, checkpoint, key }: Seal, directory: string): Promise<WitnessAnswer> {
    const place = `${witness.url} ${key}`;
    const store = openTileStore(directory);
    const subtree = tileHashes(size, (tile) => store.read(tile));
    const askFrom = (oldSize: number): Promise<WitnessAnswer> => askWitness(witness, { oldSize, proof: consistencyProof(oldSize, size, subtree), checkpoint });
    let answer = await askFrom(signed.get(place) ?? 0);
    // It knows better where it was.
    if (answer.kind === 'conflict' && answer.size <= size) answer = await askFrom(answer.size);
    if (answer.kind === 'signed') signed.set(place, size);
    return answer;
  }

  return async (seal, directory) => {
    const note = parseNote(seal.checkpoint);
    const answers = await Promise.all(witnesses.map(async (witness) => ({ witness, answer: await ask(witness, seal, directory).catch(noProof) })));
    const signatures = answers.flatMap(({ witness, answer }) => {
      if (answer.kind === 'signed') return answer.signatures;
      warn({ witness: witness.verifier.name, size: seal.size, why: answer.kind === 'conflict' ? `it has signed a tree of ${counted(answer.size, 'event')}` : answer.why }, 'a witness did not sign a checkpoint');
      return [];
    });
    return noteText({ ...note, signatures: [...note.signatures, ...signatures] });
  };
}
