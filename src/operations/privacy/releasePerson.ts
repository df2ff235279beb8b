import { z } from 'zod';
import { decidePrivacy } from './decidePrivacy.js';
import { personNamed } from './personNamed.js';
import { operation } from '../operation.js';
import { user } from '../words.js';

/** Ends a legal hold. */
export const releasePerson = operation({
  name: 'releasePerson',
  reach: 'owner',
  input: z.object({ user }),
  output: z.object({ subject: z.string(), changed: z.boolean() }),
  async run(services, input, { caller }) {
    const subject = await personNamed(services.people, input.user);
    const outcome = await decidePrivacy(services, { type: 'Release', subject }, caller);
    return { subject, changed: outcome.kind === 'recorded' };
  },
});
