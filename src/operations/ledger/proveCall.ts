import { z } from 'zod';
import { ledgerPrivacyDecider, ledgerPrivacyStream } from '../../commands/ledgerPrivacy.js';
import { boxesOf, boxKey } from '../../events/box.js';
import type { RecordedEvent } from '../../events/envelope.js';
import { payloadDropped } from '../../events/stub.js';
import { Fault } from '../../platform/fault.js';
import { eventsOfCall } from '../calls/callEntries.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import type { OwnerServices } from '../services.js';
import { user, workspaceId } from '../words.js';

/**
 * A proof that a call is in the ledger as it stands there, for people who have nothing else; see `proofFile.ts`. With
 * `open` it also opens the call's sealed values, and only them; that they are handed out is recorded before.
 */
export const proveCall = operation({
  name: 'proveCall',
  reach: 'owner',
  input: z.object({
    /** The stored id, or the id the caller gave to a call of its own in `workspace`. */
    callId: z.string().min(1),
    workspace: workspaceId,
    user: user.nullable().default(null),
    open: z.boolean().default(false),
  }),
  output: z.object({
    callId: z.string(),
    events: z.int(),
    /** How many events the signed checkpoint covers. */
    size: z.int(),
    /** Public key that the proof is checked with. */
    key: z.string(),
    witnesses: z.array(z.string()),
    /** People whose values the proof opens. */
    opens: z.array(z.string()),
    text: z.string(),
  }),
  async run(services, { open, ...named }, { caller }) {
    const { events, callId, workspace } = await eventsOfCall(services.store, services.people, named, caller);
    if (events.some(({ type }) => type === payloadDropped)) throw dropped(callId);
    const origin = originOf(caller, workspace);
    const keys = open ? await boxKeys(services, events) : new Map<string, BoxKeys>();
    const opens = [...new Set([...keys.values()].flat().map(({ subject }) => subject))];
    if (opens.length > 0) {
      const opened = { purpose: 'proof', subjects: opens, callId, filter: null } as const;
      await services.handler.execute(ledgerPrivacyDecider, ledgerPrivacyStream, [{ type: 'OpenValues', opened, reader: caller.actor, typed: {} }], origin);
    }
    const { text, says } = await services.prover.prove(events, ({ id }) => keys.get(id) ?? [], origin);
    return { callId, events: events.length, size: says.size, key: says.key, witnesses: [...says.witnesses], opens, text };
  },
});

function dropped(callId: string): Fault {
  return new Fault('failed', 'payload_dropped', `What call ${callId} said was dropped when its time was over, so nothing is left to prove. Exports made before have it.`, { callId });
}

type BoxKeys = readonly { readonly subject: string; readonly key: string }[];

/** For each event the keys of its boxes that can still be opened, by the event's id. */
async function boxKeys({ vault }: OwnerServices, events: readonly RecordedEvent[]): Promise<ReadonlyMap<string, BoxKeys>> {
  const keys = new Map<string, BoxKeys>();
  for (const { id, boxes } of events) {
    const found: { subject: string; key: string }[] = [];
    for (const [subject] of boxesOf(boxes)) {
      const key = await vault.keyOf(subject);
      if (key !== null) found.push({ subject, key: boxKey(key, id).toString('base64') });
    }
    keys.set(id, found);
  }
  return keys;
}
