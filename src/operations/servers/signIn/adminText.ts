import type { Origin } from '../../../commands/commandHandler.js';

/** Who began a sign-in, as far as the ledger knows people. */
export function adminText({ actor, door, onBehalfOf }: Pick<Origin, 'actor' | 'door' | 'onBehalfOf'>): string {
  return door === 'cli' && onBehalfOf === null ? 'the operator of this machine' : `person ${onBehalfOf ?? actor}`;
}

/** The subject of the admin who began a sign-in. */
export function signerOf({ actor, onBehalfOf }: Pick<Origin, 'actor' | 'onBehalfOf'>): string {
  return onBehalfOf ?? actor;
}
