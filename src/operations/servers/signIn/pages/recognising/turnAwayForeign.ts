import { Fault } from '../../../../../platform/fault.js';
import type { OwnerServices } from '../../../../services.js';
import { turnAway } from './turnAway.js';
import { withoutAnswer } from './broughtDigests.js';
import { recognise } from './recognise.js';

/** Puts on record that a page elsewhere tried to press a button of a sign-in that it knew. The sign-in goes on. */
export async function turnAwayForeign(services: OwnerServices, { by, word }: { readonly by: 'link' | 'state'; readonly word: string }): Promise<void> {
  try {
    const { pending } = await recognise(services, word, { by, changes: true, brought: withoutAnswer(null) });
    await turnAway(services, pending, 'foreign_origin');
  } catch (error) {
    // It named none that is under way.
    if (!(error instanceof Fault)) throw error;
  }
}
