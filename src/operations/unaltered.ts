import type { RecordedEvent } from '../events/envelope.js';
import { leafOf } from '../events/leaf.js';
import { payloadDropped } from '../events/stub.js';
import { Fault } from '../platform/fault.js';

/**
 * An event that is about to be shown or handed out, after a look at whether it is what its leaf was computed from. That the
 * leaf is the right one, only `ledger verify` and a proof can say.
 * @throws Fault `altered_event`
 */
export function unaltered(event: RecordedEvent): RecordedEvent {
  // Of a stub nobody can compute the leaf any more.
  if (event.type === payloadDropped || leafOf(event, event).equals(event.leaf)) return event;
  throw new Fault(
    'damaged',
    'altered_event',
    `The event at position ${event.position} is not what it was when it was recorded: somebody changed it in the file. Nothing of it is shown. Run \`toolledger ledger verify\`, and restore a backup.`,
    { position: event.position },
  );
}
