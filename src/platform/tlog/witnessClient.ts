import { readStart } from '../net/cappedBody.js';
import type { NoteVerifier } from './noteKey.js';
import { knownSigners, parseNote, parseSignatureLines, type NoteSignature } from './signedNote.js';
import { strictDecimal } from './strictBase64.js';

const patienceMs = 10_000;
const mostAnswerBytes = 65_536;

/** A witness that is asked to sign. */
export interface Witness {
  /** Prefix of its submission URL. */
  readonly url: string;
  readonly verifier: NoteVerifier;
}

/** What a witness is shown. */
export interface WitnessRequest {
  /** Size of the newest tree it signed; 0 when nobody knows. */
  readonly oldSize: number;
  /** From that tree to the one of the checkpoint. */
  readonly proof: readonly Uint8Array[];
  /** The signed note. */
  readonly checkpoint: string;
}

/** `conflict`: it has signed a tree of another size. `refused`: anything else, in words. */
export type WitnessAnswer =
  | { readonly kind: 'signed'; readonly signatures: readonly NoteSignature[] }
  | { readonly kind: 'conflict'; readonly size: number }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Asks a witness to sign a checkpoint (C2SP tlog-witness, `add-checkpoint`): at most 10 seconds and 64 KiB of answer, no
 * redirects. Only signatures of that witness over that checkpoint come back. Never throws.
 */
export async function askWitness(witness: Witness, { oldSize, proof, checkpoint }: WitnessRequest): Promise<WitnessAnswer> {
  const body = [`old ${oldSize}`, ...proof.map((hash) => Buffer.from(hash).toString('base64')), '', checkpoint].join('\n');
  try {
    const response = await fetch(`${witness.url.replace(/\/+$/, '')}/add-checkpoint`, { method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(patienceMs) });
    const text = response.body === null ? '' : await readStart(response.body, mostAnswerBytes);
    return judged(witness, response.status, text, checkpoint);
  } catch (error) {
    return { kind: 'refused', why: error instanceof Error && error.name === 'TimeoutError' ? 'it did not answer in time' : 'it could not be reached' };
  }
}

function judged({ verifier }: Witness, status: number, text: string, checkpoint: string): WitnessAnswer {
  if (status === 409) {
    const size = strictDecimal(text.trimEnd());
    return size === null ? { kind: 'refused', why: 'it has signed another tree and does not say of which size' } : { kind: 'conflict', size };
  }
  if (status !== 200) return { kind: 'refused', why: `it answered ${status}` };
  try {
    const note = parseNote(checkpoint);
    const own = parseSignatureLines(text).filter(({ name, id }) => name === verifier.name && id === verifier.id);
    const isSigned = own.length > 0 && knownSigners({ text: note.text, signatures: own }, [verifier]).length > 0;
    return isSigned ? { kind: 'signed', signatures: own } : { kind: 'refused', why: 'its answer has no signature of its key' };
  } catch {
    return { kind: 'refused', why: 'its answer is not signatures of this checkpoint' };
  }
}
