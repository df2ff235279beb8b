import { Fault } from '../../platform/fault.js';
import { parseVkey, type NoteVerifier } from '../../platform/tlog/noteKey.js';
import { knownSigners } from '../../platform/tlog/signedNote.js';
import type { SignedCheckpoint } from '../../platform/tlog/checkpoint.js';
import { parseTlogProof } from '../../platform/tlog/tlogProof.js';
import { keysBefore } from './keyChain.js';
import { checkEntry, type ProvenEvent } from './checkEntry.js';
import { parseProof, proofInvalid } from './proofFile.js';

/** What a proof says, once it holds. */
export interface ProvenCall {
  /** vkey of the key that signed. */
  readonly key: string;
  /** True when that key is the one that was asked for, or vouched for by it; false when nobody said which key to trust. */
  readonly trusted: boolean;
  readonly log: string;
  /** How many events the ledger had when it was signed, and the head over them as hex. */
  readonly size: number;
  readonly root: string;
  /** Names of the witnesses that signed the checkpoint too. */
  readonly witnesses: readonly string[];
  readonly events: readonly ProvenEvent[];
}

/**
 * Checks a proof file with nothing but itself and, best, a public key. Every byte of it counts.
 * @param vkey the key to trust, from whoever is trusted to know it; null takes the file's own, which proves integrity,
 *   and not where it comes from
 * @throws Fault `not_a_proof`; `proof_invalid`; `proof_of_another_key`; usage `bad_vkey`
 */
export function checkProof(text: string, vkey: string | null): ProvenCall {
  const asked = vkey === null ? null : parseVkey(vkey);
  const { document, note } = parseProof(text);
  const key = holding(() => parseVkey(document.key));
  if (holding(() => knownSigners(note, [key])).length !== 1) throw proofInvalid('it is not signed by the key it names');
  const vouching = holding(() => keysBefore(document.rotations, key));
  if (vouching === null) throw proofInvalid('its keys do not vouch for each other');
  if (asked !== null && !vouching.some((each) => each.vkey === asked.vkey)) throw anotherKey(key, asked);

  const witnesses = document.witnesses.map((each) => holding(() => parseVkey(each)));
  const proofs = document.entries.map(({ proof }) => holding(() => parseTlogProof(proof)));
  // The same checkpoint, to the letter, stands in each of them.
  const [checkpointText, ...more] = new Set(document.entries.map(({ proof }) => proof.slice(proof.indexOf('\n\n'))));
  const checkpoint = proofs[0]?.checkpoint;
  if (checkpoint === undefined || checkpointText === undefined || more.length > 0) throw proofInvalid('its events are not proven by one checkpoint');
  refuseOtherSigners(checkpoint, key, witnesses);
  const events = document.entries.map((entry, at) => checkEntry(entry, proofs[at], at));
  if (new Set(events.map(({ stream }) => stream)).size > 1) throw proofInvalid('its events are not of one stream');
  const { origin: log, size, root } = checkpoint;
  return { key: key.vkey, trusted: asked !== null, log, size, root: Buffer.from(root).toString('hex'), witnesses: witnesses.map(({ name }) => name), events };
}

/** Nothing unchecked may stand under the checkpoint, and no witness that the file names may be missing there. */
function refuseOtherSigners({ origin, note }: SignedCheckpoint, key: NoteVerifier, witnesses: readonly NoteVerifier[]): void {
  if (origin !== key.name) throw proofInvalid('its checkpoint is that of another log');
  const named = [key, ...witnesses];
  const signers = holding(() => knownSigners(note, named));
  const asNamed = signers.length === named.length && signers.every(({ vkey }, at) => vkey === named[at]?.vkey);
  if (!asNamed || note.signatures.length !== named.length) throw proofInvalid('the signatures under its checkpoint are not those of the keys it names');
}

/** What is wrong with a part is what is wrong with the proof. */
function holding<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof Fault ? proofInvalid(error.message) : error;
  }
}

function anotherKey(key: NoteVerifier, asked: NoteVerifier): Fault {
  return new Fault(
    'failed',
    'proof_of_another_key',
    `The proof is signed by ${key.name}+${key.id}, and the key given is ${asked.name}+${asked.id}: it was signed before or after the key changed (a rotation, or a new epoch after a restore), or it is of another ledger, or forged. Check it with the key of its time, or have it made again.`,
    { signedBy: key.vkey, given: asked.vkey },
  );
}
