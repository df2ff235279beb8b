import { z } from 'zod';
import { decidePrivacy } from './decidePrivacy.js';
import { personNamed } from './personNamed.js';
import { operation } from '../operation.js';
import { user } from '../words.js';

/** Puts on record that everything readable of a person is about to be handed out; `readPerson` then reads it. */
export const openPerson = operation({
  name: 'openPerson',
  reach: 'owner',
  input: z.object({ user }),
  output: z.object({
    subject: z.string(),
    /** Revision of the record in its stream. */
    opening: z.int(),
    /** Position of the record: what comes later is not part of it. */
    upTo: z.string(),
  }),
  async run(services, input, { caller }) {
    const subject = await personNamed(services.people, input.user);
    const opened = { purpose: 'person_export', subjects: [subject], callId: null, filter: null } as const;
    const outcome = await decidePrivacy(services, { type: 'OpenValues', opened, reader: caller.actor, typed: {} }, caller);
    if (outcome.kind !== 'recorded' || outcome.revision === null) throw new Error('opening values is recorded each time');
    return { subject, opening: outcome.revision, upTo: outcome.position };
  },
});
