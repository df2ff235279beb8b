import { Fault } from '../../../platform/fault.js';
import { parseCheckpoint, type SignedCheckpoint } from '../../../platform/tlog/checkpoint.js';

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
