import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { strictBase64 } from '../../platform/tlog/strictBase64.js';
import { provesLeaf, type TlogProof } from '../../platform/tlog/tlogProof.js';
import { openBoxWith } from '../box.js';
import { contentHash, leafHash } from '../leaf.js';
import { proofInvalid, type ProofEntry } from './proofFile.js';
import { parseHeader, type ProvenHeader } from './provenHeader.js';

const keyBytes = 32;
const boxList = z.array(z.tuple([z.string(), z.string()]));
const object = z.record(z.string(), z.custom<JsonValue>());

/** One event that a proof vouches for. */
export interface ProvenEvent extends ProvenHeader {
  /** Its place in the ledger, from 0. */
  readonly index: number;
  readonly data: JsonObject;
  /** People whose values the event holds: the values, or null where the proof does not open them. */
  readonly personal: readonly { readonly subject: string; readonly values: JsonObject | null }[];
}

/**
 * Checks one event of a proof.
 * @param at its revision in the stream: a proof holds a stream from its beginning
 * @throws Fault `proof_invalid`
 */
export function checkEntry({ header: line, data, boxes, opened }: ProofEntry, proof: TlogProof | undefined, at: number): ProvenEvent {
  const which = `event ${at + 1}`;
  const header = parseHeader(line);
  if (header === null) throw proofInvalid(`the header of ${which} is not one`);
  if (header.revision !== at) throw proofInvalid(`${which} of the stream is missing or not in its place`);
  if (proof === undefined || !provesLeaf(proof, leafHash(line, contentHash(data, boxes)))) throw proofInvalid(`${which} is not in the ledger as it stands here`);
  const sealed = sealedIn(boxes);
  const clear = objectIn(data);
  if (sealed === null || clear === null) throw proofInvalid(`what ${which} holds is not an event`);
  const keys = new Map(opened.map(({ subject, key }) => [subject, strictBase64(key, keyBytes)]));
  if (keys.size < opened.length || opened.some(({ subject }) => !sealed.some(([owner]) => owner === subject))) throw proofInvalid(`a key of ${which} opens no box of it`);
  const personal = sealed.map(([subject, box]) => {
    const key = keys.get(subject);
    const values = key ? openBoxWith(key, { stream: header.stream, eventId: header.id, subject }, box) : null;
    if (keys.has(subject) && values === null) throw proofInvalid(`a key of ${which} does not open its box`);
    return { subject, values };
  });
  return { ...header, index: proof.index, data: clear, personal };
}

function sealedIn(boxes: string): readonly (readonly [subject: string, box: string])[] | null {
  return boxes === '' ? [] : (boxList.safeParse(parsed(boxes)).data ?? null);
}

function objectIn(data: string): JsonObject | null {
  return object.safeParse(parsed(data)).data ?? null;
}

/** Whoever signed it may have put anything there. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
