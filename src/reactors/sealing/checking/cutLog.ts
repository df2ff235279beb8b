import type { Seal } from '../../../commands/ledgerSeal.js';
import type { EventReader } from '../../../events/eventStore.js';
import { Fault } from '../../../platform/fault.js';
import { sealsNewestFirst } from '../newestSeal.js';
import type { SealFiles } from '../sealFiles.js';
import { counted } from '../../../platform/text/counted.js';

/** How many of the newest seals are looked at, so that a start does not take longer with every seal. */
const lookedAt = 256;

/**
 * Refuses a checkpoint log that was emptied, cut at its end or replaced by an older copy: it lacks the newest checkpoint
 * that the ledger says it was given. Quick, for every start and every seal; `ledger verify` looks for all of them. A file
 * that no seal names, such as one that was configured just now, may hold anything. The log in the data directory
 * is not asked: whoever may remove it may rewrite everything beside it.
 * @throws Fault `damaged` `checkpoint_log_cut`
 */
export async function refuseCutLog(reader: Pick<EventReader, 'readStream'>, files: SealFiles): Promise<void> {
  const [last, before] = await newestGivenTo(reader, files.log.id);
  if (last === undefined) return;
  // Asked before the log is read: a checkpoint is in the log before it is published. A process may have died between the seal and the log.
  const isPublished = (await files.published(last.epoch))?.startsWith(last.checkpoint) === true;
  const needed = isPublished ? last : before;
  if (needed === undefined || (await files.newestLogged()).includes(needed.checkpoint)) return;
  const { size, epoch } = needed;
  throw new Fault(
    'damaged',
    'checkpoint_log_cut',
    `The checkpoint log ${files.log.file} does not hold the checkpoint of ${counted(size, 'event')} (epoch ${epoch}) that the ledger says it was given: it was emptied, cut or replaced by an older copy, or its volume is not there. ` +
      'Nothing was written to it. Put the right file back; when it is gone for good, name another file with CHECKPOINT_LOG, which begins a new log, on record.',
    { file: files.log.file, size, epoch },
  );
}

/** The newest seal of a log, and the one before it where that went into the same log; empty when none of the newest seals names the log. */
async function newestGivenTo(reader: Pick<EventReader, 'readStream'>, log: string | null): Promise<readonly Seal[]> {
  const found: Seal[] = [];
  let looked = 0;
  if (log === null) return found;
  for await (const { type, data } of sealsNewestFirst(reader)) {
    if ((looked += 1) > lookedAt) break;
    if (type !== 'LedgerSealed') continue;
    const [last] = found;
    if (last !== undefined && (data.log !== log || data.epoch !== last.epoch)) break;
    if (data.log === log && found.push(data) === 2) break;
  }
  return found;
}
