import { checkProof, type ProvenCall } from '../../events/proof/checkProof.js';
import { mostProofBytes, notAProof } from '../../events/proof/proofFile.js';
import { iso } from '../words.js';

export { mostProofBytes };

type Event = ProvenCall['events'][number];

/** A proof that holds, with times as doors show them. */
export interface VerifiedProof extends Omit<ProvenCall, 'events'> {
  readonly events: readonly (Omit<Event, 'occurredAt' | 'recordedAt'> & { readonly occurredAt: string; readonly recordedAt: string })[];
}

/**
 * Checks a proof file. It needs nothing of this machine's, so it is no operation on a data directory.
 * @param key vkey to trust; null: the file's own
 * @throws Fault as `checkProof`
 */
export function verifyProof(content: Uint8Array, key: string | null): VerifiedProof {
  const says = checkProof(textOf(content), key);
  return { ...says, events: says.events.map((event) => ({ ...event, occurredAt: iso(event.occurredAt), recordedAt: iso(event.recordedAt) })) };
}

function textOf(content: Uint8Array): string {
  try {
    // A byte order mark is a change like any other.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw notAProof();
  }
}
