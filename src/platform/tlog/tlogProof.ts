import { Fault } from '../fault.js';
import { parseCheckpoint, type SignedCheckpoint } from './checkpoint.js';
import { hashBytes } from './merkleHash.js';
import { checkInclusion } from './merkleProof.js';
import { strictBase64, strictDecimal } from './strictBase64.js';

const firstLine = 'c2sp.org/tlog-proof@v1';
/** More than a tree of 2^53 leaves needs. */
const longestPath = 63;

/** That an entry lies in a log: its index, the path to the head, and the checkpoint with that head. */
export interface TlogProof {
  readonly index: number;
  readonly path: readonly Uint8Array[];
  readonly checkpoint: SignedCheckpoint;
}

/** @param checkpoint the signed note, as the log gave it out */
export function tlogProofText({ index, path, checkpoint }: { readonly index: number; readonly path: readonly Uint8Array[]; readonly checkpoint: string }): string {
  return [firstLine, `index ${index}`, ...path.map((hash) => Buffer.from(hash).toString('base64')), '', checkpoint].join('\n');
}

/**
 * Reads a C2SP tlog-proof. The optional `extra` line is refused: nothing vouches for it.
 * @throws Fault `malformed_proof`, `malformed_note`, `malformed_checkpoint` naming the line
 */
export function parseTlogProof(text: string): TlogProof {
  const split = text.indexOf('\n\n');
  const [first, indexLine = '', ...hashes] = text.slice(0, Math.max(0, split)).split('\n');
  if (first !== firstLine) throw malformed(1, `it must be ${firstLine}`);
  const index = indexLine.startsWith('index ') ? strictDecimal(indexLine.slice('index '.length)) : null;
  if (index === null) throw malformed(2, 'it must be "index" and a whole number without leading zeroes');
  if (hashes.length > longestPath) throw malformed(3 + longestPath, `there are ${hashes.length} hashes; at most ${longestPath} are allowed`);
  const path = hashes.map((hash, at) => {
    const bytes = strictBase64(hash, hashBytes);
    if (bytes === null) throw malformed(3 + at, 'it is not 32 bytes in base64');
    return bytes;
  });
  return { index, path, checkpoint: parseCheckpoint(text.slice(split + 2)) };
}

/** Whether the proof's path leads from the leaf to the head in its checkpoint. Who signed that is another question. */
export function provesLeaf({ index, path, checkpoint }: TlogProof, leaf: Uint8Array): boolean {
  return checkInclusion({ index, leaf, path }, checkpoint);
}

function malformed(line: number, problem: string): Fault {
  return new Fault('failed', 'malformed_proof', `Line ${line} of a log proof is wrong: ${problem}.`, { line, problem });
}
