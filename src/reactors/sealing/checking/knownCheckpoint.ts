import { Fault } from '../../../platform/fault.js';
import { parseCheckpoint, type SignedCheckpoint } from '../../../platform/tlog/checkpoint.js';
import { renamed, type NoteVerifier } from '../../../platform/tlog/noteKey.js';
import { knownSigners } from '../../../platform/tlog/signedNote.js';

/** An epoch's checkpoint, with what its origin says. */
export interface KnownCheckpoint extends SignedCheckpoint {
  readonly ledger: string;
  readonly epoch: number;
}

/** @throws Fault `damaged` `malformed_checkpoint`, `malformed_note` */
export function parsedCheckpoint(text: string): KnownCheckpoint {
  try {
    const checkpoint = parseCheckpoint(text);
    const [, ledger = '', epoch = '0'] = /^toolledger\.local\/([0-9a-f]{32})\/([1-9][0-9]{0,8})$/.exec(checkpoint.origin) ?? [];
    return { ...checkpoint, ledger, epoch: Number(epoch) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault('damaged', error.code, `A checkpoint beside the ledger is damaged. ${error.message} Put back the file, or name another with CHECKPOINT_LOG.`, error.details);
  }
}

/** Whether one of these keys, under whatever log's name, signed it. */
export function isSignedBy({ note, origin }: KnownCheckpoint, keys: readonly NoteVerifier[]): boolean {
  try {
    return knownSigners(note, keys.map((key) => renamed(key, origin))).length > 0;
  } catch {
    return false;
  }
}
