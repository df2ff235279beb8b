import { z } from 'zod';
import { parseVkey, type NoteVerifier } from '../../platform/tlog/noteKey.js';
import { knownSigners, parseNote } from '../../platform/tlog/signedNote.js';

/** That a key put another in its place. */
export const keyRotation = z.strictObject({
  /** vkey of the key that signed before. */
  from: z.string(),
  /** A note that names the next key, signed by `from`. */
  statement: z.string(),
});

export type KeyRotation = z.output<typeof keyRotation>;

/** The text by which a key vouches for the next one, to be signed by it. */
export function nextKeyText(vkey: string): string {
  return `toolledger/next-key@1\n${vkey}\n`;
}

/**
 * The keys of which each vouches for the next, and the last for `key`; `key` itself is the last of them.
 * @param rotations oldest first
 * @returns null when one of them is not what it must be
 * @throws Fault of `parseVkey`, `parseNote` and `knownSigners`
 */
export function keysBefore(rotations: readonly KeyRotation[], key: NoteVerifier): readonly NoteVerifier[] | null {
  const keys = [...rotations.map(({ from }) => parseVkey(from)), key];
  const holds = rotations.every(({ statement }, at) => {
    const [before, next] = [keys[at], keys[at + 1]];
    const note = parseNote(statement);
    return before !== undefined && next !== undefined && note.signatures.length === 1 && note.text === nextKeyText(next.vkey) && knownSigners(note, [before]).length === 1;
  });
  return holds ? keys : null;
}
