import { z } from 'zod';
import { Fault } from '../../platform/fault.js';
import type { NoteSigner } from '../../platform/tlog/noteKey.js';
import { noteText, parseNote, signNote, type SignedNote } from '../../platform/tlog/signedNote.js';
import { keyRotation } from './keyChain.js';

/**
 * A proof file is a C2SP signed note. Its text is this title, and a JSON document written as `JSON.stringify` writes it
 * with an indent of two, so that the same proof has one spelling only. The ledger's key signs all of it.
 */
const title = 'toolledger/proof@1\n';

/** Most bytes of a proof file: sixteen events of the largest size, with room for escapes. */
export const mostProofBytes = 64 * 1024 * 1024;

const proofEntry = z.strictObject({
  /** The canonical header of the event; see `leaf.ts`. The log's entry is this, followed by the content hash. */
  header: z.string(),
  /** The event's clear data and its boxes, as stored. */
  data: z.string(),
  boxes: z.string(),
  /** Keys that open single boxes of this event, by person: base64 of 32 bytes. */
  opened: z.array(z.strictObject({ subject: z.string(), key: z.string() })),
  /** A c2sp.org/tlog-proof@v1 of the entry. */
  proof: z.string(),
});

const proofDocument = z.strictObject({
  /** vkey of the key that signed the checkpoint and this file. */
  key: z.string(),
  /** How earlier keys of the same log vouch for the next one, up to `key`; oldest first. */
  rotations: z.array(keyRotation),
  /** vkeys of the witnesses whose signatures stand under the checkpoint. */
  witnesses: z.array(z.string()),
  entries: z.array(proofEntry).min(1),
});

export type ProofEntry = z.output<typeof proofEntry>;
export type ProofDocument = z.output<typeof proofDocument>;

/** The text of a proof file. */
export function proofText(document: ProofDocument, signer: NoteSigner): string {
  return noteText(signNote(`${title}${JSON.stringify(proofDocument.parse(document), null, 2)}\n`, signer));
}

/**
 * Takes a proof file apart; nothing is checked but its form, which has one spelling only.
 * @throws Fault `not_a_proof`; `proof_invalid` saying what is wrong
 */
export function parseProof(text: string): { readonly document: ProofDocument; readonly note: SignedNote } {
  if (!text.startsWith(title)) throw notAProof();
  const note = parsedNote(text);
  const json = note.text.slice(title.length, -1);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw proofInvalid('what it holds is not JSON');
  }
  const { data, error } = proofDocument.safeParse(value);
  if (error !== undefined) throw proofInvalid(`the field ${error.issues[0]?.path.join('.') || 'at the top'} is missing, of the wrong kind, or unknown`);
  if (JSON.stringify(data, null, 2) !== json) throw proofInvalid('its JSON is not written in the one way it may be written');
  if (note.signatures.length !== 1) throw proofInvalid('it has more than one signature');
  return { document: data, note };
}

function parsedNote(text: string): SignedNote {
  try {
    return parseNote(text);
  } catch (error) {
    throw error instanceof Fault ? proofInvalid(error.message) : error;
  }
}

/** The fault for a file that is something else. */
export function notAProof(): Fault {
  return new Fault('failed', 'not_a_proof', `This is no proof made by \`toolledger audit prove\`: such a file begins with the line ${title.trim()}. Nothing in it was checked.`);
}

/** The fault for a proof that does not hold. */
export function proofInvalid(problem: string): Fault {
  return new Fault('failed', 'proof_invalid', `The proof does not hold: ${problem.replace(/\.$/, '')}. It was changed or cut; nothing in it can be relied on.`, { problem });
}
