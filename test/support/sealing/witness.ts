import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseCheckpoint } from '../../../src/platform/tlog/checkpoint.js';
import { checkConsistency, type TreeHead } from '../../../src/platform/tlog/merkleProof.js';
import { type NoteVerifier } from '../../../src/platform/tlog/noteKey.js';
import { makeCosigner } from './cosigner.js';
import { knownSigners, noteText, signNote } from '../../../src/platform/tlog/signedNote.js';

/** What a witness answers: status and body. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A witness of one log on this machine, as the specification says it must behave. */
export interface TestWitness {
  readonly url: string;
  readonly vkey: string;
  /** The newest tree it has signed. */
  readonly newest: () => TreeHead | null;
  /** Status of every answer so far. */
  readonly answered: readonly number[];
  /** From now on it answers this instead. */
  misbehave(answer: Answer | null): void;
  stop(): Promise<void>;
}

/** @param logKeys keys it trusts for the log, to be added to */
export async function startWitness(logKeys: NoteVerifier[]): Promise<TestWitness> {
  const cosigner = makeCosigner('witness.example/w1', Buffer.alloc(32, 8), () => 1_800_000_000);
  let newest: TreeHead | null = null;
  let instead: Answer | null = null;
  const answered: number[] = [];

  function judge(body: string): Answer {
    const split = body.indexOf('\n\n');
    const [old = '', ...proof] = body.slice(0, split).split('\n');
    const checkpoint = parseCheckpoint(body.slice(split + 2));
    if (!logKeys.some(({ name }) => name === checkpoint.origin)) return { status: 404, body: '' };
    if (knownSigners(checkpoint.note, logKeys).length === 0) return { status: 403, body: '' };
    const size = newest?.size ?? 0;
    if (old !== `old ${size}`) return { status: 409, body: `${size}\n` };
    const hashes = proof.map((line) => Buffer.from(line, 'base64'));
    if (newest !== null && !checkConsistency(newest, checkpoint, hashes)) return { status: 422, body: '' };
    newest = checkpoint;
    const signed = noteText(signNote(checkpoint.note.text, cosigner));
    return { status: 200, body: signed.slice(signed.lastIndexOf('—')) };
  }

  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { status, body: text } = instead ?? (request.method === 'POST' && request.url === '/w/add-checkpoint' ? judge(body) : { status: 405, body: '' });
      answered.push(status);
      response.writeHead(status).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w/`,
    vkey: cosigner.verifier.vkey,
    newest: () => newest,
    answered,
    misbehave: (answer) => void (instead = answer),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
