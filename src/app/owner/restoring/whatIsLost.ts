import type { LostByRestore } from '../../../cli/toolledger.js';
import type { LedgerFacts } from './ledgerFacts.js';

/** What the present ledger has on record and a backup does not. */
export function whatIsLost(present: LedgerFacts, backup: LedgerFacts): LostByRestore {
  const drops = [...present.drops].filter(([id]) => !backup.drops.has(id));
  return {
    events: Math.max(0, present.events - backup.events),
    holds: [...present.held].filter((subject) => !backup.held.has(subject)),
    dropped: drops.reduce((sum, [, events]) => sum + events, 0),
  };
}
