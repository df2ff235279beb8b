import { z } from 'zod';
import { decidePrivacy } from './decidePrivacy.js';
import { personNamed } from './personNamed.js';
import { signerOf } from '../servers/signIn/whoBegan.js';
import { endSignIns } from '../servers/signIn/ending/endSignIns.js';
import { signInText } from '../servers/signIn/signInTexts.js';
import { operation } from '../operation.js';
import { user } from '../words.js';

/**
 * Forgets a person: recorded first, then their key and who they were are destroyed, then their words leave the text
 * index. Whatever a crash leaves undone, the next start does before anything is read.
 */
export const erasePerson = operation({
  name: 'erasePerson',
  reach: 'owner',
  isLong: true,
  input: z.object({ user }),
  output: z.object({
    /** What stands for them in the ledger from now on. */
    subject: z.string(),
    /** Files in which something may still lie because somebody reads them, or the disk is in the way; the next start tries again. */
    unswept: z.array(z.enum(['keys', 'text_index'])),
  }),
  async run(services, input, { caller, signal }) {
    const { people, vault, views, signIns, remote } = services;
    const subject = await personNamed(people, input.user);
    const outcome = await decidePrivacy(services, { type: 'Erase', subject }, caller);
    const keysSwept = await vault.destroySubjects([subject]);
    // Servers are not used with what is theirs any more; whoever is to sign in instead sees it in the list of servers.
    for (const serverId of await signIns.grants.suspendErased()) await remote.disconnect(serverId);
    await endSignIns(services, ({ origin }) => signerOf(origin) === subject, 'signer_erased', signInText('signer_erased', null));
    const leftBehind = outcome.kind === 'recorded' ? await views.caughtUpTo(outcome.position, { signal }) : [];
    const textSwept = (await views.sweep()) && !leftBehind.some(({ view }) => view === 'callText');
    return { subject, unswept: [...(keysSwept ? [] : (['keys'] as const)), ...(textSwept ? [] : (['text_index'] as const))] };
  },
});
