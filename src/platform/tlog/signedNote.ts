import { Fault } from '../fault.js';
import type { NoteSigner, NoteVerifier } from './noteKey.js';
import { strictBase64 } from './strictBase64.js';

const mostSignatures = 100;
const idBytes = 4;

/** One signature line of a note. */
export interface NoteSignature {
  readonly name: string;
  /** Eight hex digits. */
  readonly id: string;
  readonly signature: Buffer;
}

/** A note taken apart; nothing of it is checked but its form. */
export interface SignedNote {
  /** Ends in a line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/**
 * Takes a note apart (C2SP signed-note): text, empty line, signature lines. Text that is written in another way than
 * `noteText` would write it is refused.
 * @throws Fault `malformed_note` naming the line
 */
export function parseNote(note: string): SignedNote {
  const odd = note.isWellFormed() ? oddLineOf(note) : 1;
  if (odd !== null) throw malformed(odd, 'it holds a control character or what is not text');
  const split = note.lastIndexOf('\n\n');
  if (split < 1) throw malformed(1, 'there is no empty line between text and signatures');
  const text = note.slice(0, split + 1);
  const firstLine = text.split('\n').length + 1;
  const lines = note.slice(split + 2).split('\n');
  if (lines.pop() !== '') throw malformed(firstLine + lines.length, 'the last line does not end in a line feed');
  if (lines.length === 0 || lines.length > mostSignatures) throw malformed(firstLine, `it has ${lines.length} signatures; 1 to ${mostSignatures} are allowed`);
  return { text, signatures: lines.map((line, at) => parseSignature(line, firstLine + at)) };
}

/** A note as it is stored and sent. */
export function noteText({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(signatureLine).join('')}`;
}

/** One signature as a line, with its line feed. */
export function signatureLine({ name, id, signature }: NoteSignature): string {
  return `— ${name} ${Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')}\n`;
}

/** Reads lines of signatures, as a witness answers them. @throws Fault `malformed_note` */
export function parseSignatureLines(text: string): readonly NoteSignature[] {
  return parseNote(`-\n\n${text}`).signatures;
}

/** @param text ends in a line feed and holds no control characters beside line feeds */
export function signNote(text: string, signer: NoteSigner): SignedNote {
  const { name, id } = signer.verifier;
  return { text, signatures: [{ name, id, signature: signer.sign(text) }] };
}

/**
 * The signatures of known keys. Those of others are left out.
 * @returns the keys that signed; empty when none of them did
 * @throws Fault `bad_signature` when a signature of a known key is not that of this text
 */
export function knownSigners({ text, signatures }: SignedNote, known: readonly NoteVerifier[]): readonly NoteVerifier[] {
  return signatures.flatMap(({ name, id, signature }) => {
    const verifier = known.find((each) => each.name === name && each.id === id);
    if (verifier === undefined) return [];
    if (!verifier.verify(text, signature)) throw new Fault('failed', 'bad_signature', `The signature of key ${name}+${id} does not fit the text it stands under: the text or the signature was changed.`, { name, id });
    return [verifier];
  });
}

function parseSignature(line: string, at: number): NoteSignature {
  const [, name = '', base64 = ''] = /^— ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
  const bytes = strictBase64(base64);
  if (bytes === null || bytes.length <= idBytes || /[\s+]/u.test(name)) throw malformed(at, 'it is not a signature line: an em dash, a key name, and key id and signature in base64');
  return { name, id: bytes.subarray(0, idBytes).toString('hex'), signature: bytes.subarray(idBytes) };
}

/** The line of the first control character that is no line feed. */
function oddLineOf(note: string): number | null {
  let line = 1;
  for (let at = 0; at < note.length; at += 1) {
    const code = note.charCodeAt(at);
    if (code === 0x0a) line += 1;
    else if (code < 0x20) return line;
  }
  return null;
}

function malformed(line: number, problem: string): Fault {
  return new Fault('failed', 'malformed_note', `Line ${line} of a signed note is wrong: ${problem}.`, { line, problem });
}
