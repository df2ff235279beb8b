import type { RestoredLedger } from '../../toolledger.js';
import { counted } from '../../../platform/text/counted.js';

/** What a restore put in place and what is lost by it, for people. */
export function restoredLines(restored: RestoredLedger): readonly string[] {
  return [
    `Restored: ${counted(restored.events, 'event')}. What follows is epoch ${restored.epoch}, sealed anew: those who check proofs of it need the key that \`ledger seal\` prints.`,
    checkpoints(restored),
    ...lost(restored),
    readable(restored),
  ];
}

function checkpoints({ newest, lacking, agreesWith, events }: RestoredLedger): string {
  if (newest === null) return 'No checkpoint of this ledger is in seals/ or CHECKPOINT_LOG, so nothing says whether it once held more, or other, events.';
  const doubt = newest.isVerified ? '' : ', which is signed by a key that is not known here,';
  const furthest = `The furthest checkpoint that is known${doubt} tells of ${counted(newest.size, 'event')}, in epoch ${newest.epoch}`;
  const missing = lacking === 0 ? `${furthest}; the backup has no fewer.` : `${furthest}: at least ${lacking} of them are not in the backup, which has ${events}.`;
  const agrees = agreesWith === null ? 'No checkpoint is known that tells of events of the backup only.' : `A checkpoint of epoch ${agreesWith.epoch} was signed for the first ${counted(agreesWith.size, 'event')} of it.`;
  return `${missing} ${agrees}`;
}

function lost({ replaced, lost: gone, erased }: RestoredLedger): readonly string[] {
  const lines: string[] = [];
  if (replaced === 'unreadable') lines.push('The ledger that was replaced could not be read: legal holds, and payloads dropped, since the backup was made are not known.');
  if (gone !== null && gone.events > 0) lines.push(`The ledger that was replaced had ${counted(gone.events, 'event')} more.`);
  if (gone !== null && gone.holds.length > 0) lines.push(`Legal holds of these people are not in force any more; renew them with \`privacy hold\`: ${gone.holds.join(', ')}.`);
  if (gone !== null && gone.dropped > 0) lines.push(`Payloads that were dropped and are there again: ${gone.dropped}. Drop them again with \`ledger retention\`.`);
  if (erased.length > 0) lines.push(`Erased since the backup was made, and recorded as erased again: ${erased.join(', ')}.`);
  if (replaced !== 'compared') lines.push('Whoever was erased after this backup was made must be erased again, unless their key is gone already.');
  return lines;
}

/** What can be shown of it. */
function readable({ people, unreadable, hasKeys }: RestoredLedger): string {
  const clear = 'Times, people as pseudonyms, tools, outcomes, reasons, settings and servers are all there.';
  if (people === 0) return `${clear} No values are sealed in it.`;
  if (unreadable.people === 0) return `${clear} The sealed arguments, results and texts of all ${people} people can be opened.`;
  const sealed = `The arguments, results and texts of ${unreadable.people} of ${counted(people, 'person', 'people')} (events: ${unreadable.events}) cannot be opened`;
  return hasKeys
    ? `${clear} ${sealed}: they were erased, or their keys are not here. A newer backup of the keys may have them: \`toolledger keys restore FILE\`.`
    : `${clear} ${sealed}: there is no keys.db. Nothing starts until \`toolledger keys restore FILE\` brings the keys back.`;
}
