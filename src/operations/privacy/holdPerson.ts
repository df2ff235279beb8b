import { z } from 'zod';
import { decidePrivacy } from './decidePrivacy.js';
import { personNamed } from './personNamed.js';
import { operation } from '../operation.js';
import { user } from '../words.js';

/** Puts a person under a legal hold: they cannot be erased, and their events keep their payloads. */
export const holdPerson = operation({
  name: 'holdPerson',
  reach: 'owner',
  input: z.object({ user, because: z.string().trim().min(1, 'say why').max(2000) }),
  output: z.object({ subject: z.string(), changed: z.boolean() }),
  async run(services, input, { caller }) {
    const subject = await personNamed(services.people, input.user);
    const outcome = await decidePrivacy(services, { type: 'Hold', subject, because: input.because }, caller);
    return { subject, changed: outcome.kind === 'recorded' };
  },
});
