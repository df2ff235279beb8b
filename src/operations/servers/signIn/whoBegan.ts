import type { Origin } from '../../../commands/commandHandler.js';

/** Who began a sign-in, as far as the ledger knows people. */
export function adminText({ actor, door, onBehalfOf }: Pick<Origin, 'actor' | 'door' | 'onBehalfOf'>): string {
  return isOperator({ door, onBehalfOf }) ? 'the operator of this machine' : `person ${onBehalfOf ?? actor}`;
}

/** Whether it was the operator of this machine who began, who is no member of any guild. */
export function isOperator({ door, onBehalfOf }: Pick<Origin, 'door' | 'onBehalfOf'>): boolean {
  return door === 'cli' && onBehalfOf === null;
}

/** The subject of the admin who began a sign-in. */
export function signerOf({ actor, onBehalfOf }: Pick<Origin, 'actor' | 'onBehalfOf'>): string {
  return onBehalfOf ?? actor;
}
