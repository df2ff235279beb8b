import { Fault } from '../fault.js';
import { hashBytes } from './merkleHash.js';
import type { TreeHead } from './merkleProof.js';
import { parseNote, type SignedNote } from './signedNote.js';
import { strictBase64, strictDecimal } from './strictBase64.js';

/** What a log signs: which log it is, how many leaves it has, and the head over them (C2SP tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  readonly origin: string;
}

/** A checkpoint with the note it was read from. */
export interface SignedCheckpoint extends Checkpoint {
  readonly note: SignedNote;
}

/** The text of a checkpoint, to be signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
}

/**
 * Reads a checkpoint; its signatures are not checked. Extension lines are refused: our logs sign none, and nobody can
 * audit them.
 * @throws Fault `malformed_note`, `malformed_checkpoint` naming the line
 */
export function parseCheckpoint(text: string): SignedCheckpoint {
  const note = parseNote(text);
  const [origin = '', size = '', root = '', ...rest] = note.text.split('\n');
  if (origin === '') throw malformed(1, 'the origin is empty');
  const leaves = strictDecimal(size);
  if (leaves === null) throw malformed(2, 'the size is not a whole number without leading zeroes');
  const head = strictBase64(root, hashBytes);
  if (head === null) throw malformed(3, 'the root is not 32 bytes in base64');
  if (rest.length !== 1) throw malformed(4, 'there is more than origin, size and root');
  return { origin, size: leaves, root: head, note };
}

function malformed(line: number, problem: string): Fault {
  return new Fault('failed', 'malformed_checkpoint', `Line ${line} of a checkpoint is wrong: ${problem}.`, { line, problem });
}
