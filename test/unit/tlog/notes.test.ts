import { describe, expect, it } from '@jest/globals';
import { checkpointText, parseCheckpoint } from '../../../src/platform/tlog/checkpoint.js';
import { isKeyName, makeSigner, parseVkey } from '../../../src/platform/tlog/noteKey.js';
import { makeCosigner } from '../../support/sealing/cosigner.js';
import { knownSigners, noteText, parseNote, signNote } from '../../../src/platform/tlog/signedNote.js';
import { parseTlogProof, tlogProofText } from '../../../src/platform/tlog/tlogProof.js';

/** The key and the note that the first implementation of signed notes, Go's, publishes as its example. */
const publishedVkey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const publishedNote =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';

const signer = makeSigner('log.example/1', Buffer.alloc(32, 7));
const head = { origin: 'log.example/1', size: 12, root: Buffer.alloc(32, 9) };
const checkpoint = noteText(signNote(checkpointText(head), signer));

describe('a signed note', () => {
  it('of another implementation is read, checked with its key, and written the same again', () => {
    const note = parseNote(publishedNote);
    expect(knownSigners(note, [parseVkey(publishedVkey)]).map(({ vkey }) => vkey)).toEqual([publishedVkey]);
    expect(noteText(note)).toBe(publishedNote);
  });

  it('is refused when any of its characters is another one', () => {
    const known = [parseVkey(publishedVkey)];
    for (let at = 0; at < publishedNote.length; at += 1) {
      const changed = `${publishedNote.slice(0, at)}${publishedNote[at] === 'A' ? 'B' : 'A'}${publishedNote.slice(at + 1)}`;
      const accepted = (): number => knownSigners(parseNote(changed), known).length;
      let signers = 0;
      try {
        signers = accepted();
      } catch {
        // Refused, which is as good.
      }
      expect([at, signers]).toEqual([at, 0]);
    }
  });

  it('may hold empty lines in its text, and signatures of keys that nobody knows', () => {
    const own = signNote('one\n\ntwo\n', signer);
    const note = { ...own, signatures: [...own.signatures, ...parseNote(publishedNote).signatures] };
    expect(parseNote(noteText(note))).toEqual(note);
    expect(knownSigners(note, [signer.verifier])).toEqual([signer.verifier]);
    expect(knownSigners(note, [])).toEqual([]);
  });

  it.each([
    ['no empty line', 'text\n— a AAAAAAA=\n'],
    ['no signature', 'text\n\n'],
    ['text behind the signatures', `${publishedNote}more\n`],
    ['no line feed at the end', publishedNote.trimEnd()],
    ['a carriage return', publishedNote.replace('problem is.\n', 'problem is.\r\n')],
    ['a terminal escape', publishedNote.replace('then', '\u001b[2Jthen')],
    ['half a character', publishedNote.replace('then', '\ud800')],
    ['base64 with stray bits', publishedNote.replace('nAM=\n', 'nAN=\n')],
    ['base64 without padding', publishedNote.replace('nAM=\n', 'nAM\n')],
    ['a plus in the key name', publishedNote.replace('PeterNeumann', 'Peter+Neumann')],
    ['a hyphen for the dash', publishedNote.replace('—', '-')],
    ['a signature too short to have a key id', 'text\n\n— a AAAA\n'],
    ['a hundred and one signatures', `text\n\n${'— a AAAAAAA=\n'.repeat(101)}`],
  ])('is refused with %s', (_, text) => {
    expect(() => knownSigners(parseNote(text), [parseVkey(publishedVkey)])).toThrow(/signed note is wrong|was changed/);
  });
});

describe('a public key as text', () => {
  it('is read and written the same', () => {
    expect(parseVkey(signer.verifier.vkey)).toMatchObject({ name: 'log.example/1', id: signer.verifier.id, vkey: signer.verifier.vkey });
  });

  it.each([
    ['nothing', ''],
    ['another name under the same id', publishedVkey.replace('Peter', 'Petra')],
    ['another id', publishedVkey.replace('c74f20a3', 'c74f20a4')],
    ['an id in capitals', publishedVkey.replace('c74f20a3', 'C74F20A3')],
    ['a shorter key', publishedVkey.slice(0, -4)],
    ['a space', `${publishedVkey} `],
    ['a kind nobody knows', `a+00000000+${Buffer.concat([Buffer.of(2), Buffer.alloc(32)]).toString('base64')}`],
  ])('is refused with %s', (_, vkey) => expect(() => parseVkey(vkey)).toThrow(/is not a public key of a log/));

  it('has a name without spaces, plus signs and control characters', () => {
    expect(['example.com/a', 'ö'].map(isKeyName)).toEqual([true, true]);
    expect(['', 'a b', 'a\u00a0b', 'a+b', 'a\nb', 'a\u0000', '\ud800'].map(isKeyName)).toEqual(Array(7).fill(false));
  });
});

describe('a cosignature', () => {
  const witness = makeCosigner('witness.example/w1', Buffer.alloc(32, 8), () => 1_679_315_147);
  const note = parseNote(checkpoint);
  const cosigned = { ...note, signatures: [...note.signatures, ...signNote(note.text, witness).signatures] };

  it('is of the text and the time in it', () => {
    expect(knownSigners(cosigned, [signer.verifier, parseVkey(witness.verifier.vkey)])).toHaveLength(2);
    const later = cosigned.signatures.map((each) => ({ ...each, signature: Buffer.from(each.signature) }));
    later.at(-1)?.signature.writeUInt8(1, 7);
    expect(() => knownSigners({ ...cosigned, signatures: later }, [witness.verifier])).toThrow(/was changed/);
  });

  it('is no signature of a log, and the other way round', () => {
    const [own] = signNote(note.text, signer).signatures;
    const asWitness = { ...note, signatures: own === undefined ? [] : [{ ...own, name: witness.verifier.name, id: witness.verifier.id }] };
    expect(() => knownSigners(asWitness, [witness.verifier])).toThrow(/was changed/);
  });
});

describe('a checkpoint', () => {
  it('is read back', () => expect(parseCheckpoint(checkpoint)).toMatchObject(head));

  it.each([
    ['no origin', (text: string) => text.replace('log.example/1\n', '\n')],
    ['a size with a zero in front', (text: string) => text.replace('\n12\n', '\n012\n')],
    ['a size that is no number', (text: string) => text.replace('\n12\n', '\n1e1\n')],
    ['a size beyond 2^53', (text: string) => text.replace('\n12\n', '\n9007199254740993\n')],
    ['a root of 31 bytes', (text: string) => text.replace(head.root.toString('base64'), Buffer.alloc(31).toString('base64'))],
    ['a line more', (text: string) => text.replace('\n\n', '\nextension\n\n')],
    ['a line less', (text: string) => text.replace('12\n', '')],
  ])('is refused with %s', (_, change) => expect(() => parseCheckpoint(change(checkpoint))).toThrow(/of a (checkpoint|signed note) is wrong/));
});

describe('a log proof', () => {
  const text = tlogProofText({ index: 3, path: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)], checkpoint });

  it('is read back', () => expect(parseTlogProof(text)).toMatchObject({ index: 3, path: [Buffer.alloc(32, 1), Buffer.alloc(32, 2)], checkpoint: head }));

  it('may have no path: the tree has one leaf', () => expect(parseTlogProof(tlogProofText({ index: 0, path: [], checkpoint })).path).toEqual([]));

  it.each([
    ['another first line', text.replace('@v1', '@v2')],
    ['extra data, which nothing vouches for', text.replace('index', 'extra AAAA\nindex')],
    ['an index with a zero in front', text.replace('index 3', 'index 03')],
    ['no index', text.replace('index 3\n', '')],
    ['a hash that is too short', text.replace(/AQ[A-Za-z0-9+/=]+/, 'AQ==')],
    ['64 hashes', tlogProofText({ index: 3, path: Array<Buffer>(64).fill(Buffer.alloc(32)), checkpoint })],
    ['no checkpoint', text.slice(0, text.indexOf('\n\n') + 2)],
    ['text at its end', `${text}x`],
  ])('is refused with %s', (_, changed) => expect(() => parseTlogProof(changed)).toThrow(/is wrong/));
});
