import type { Origin } from '../../../commands/commandHandler.js';
import { personName } from '../../personName.js';

/** Who began a sign-in, as they are named everywhere. */
export function adminText(origin: Pick<Origin, 'actor' | 'door' | 'onBehalfOf'>): string {
  return personName(signerOf(origin), isOperator(origin) ? origin.actor : null);
}

/** Whether it was the operator of this machine who began, who is no member of any guild. */
export function isOperator({ door, onBehalfOf }: Pick<Origin, 'door' | 'onBehalfOf'>): boolean {
  return door === 'cli' && onBehalfOf === null;
}

/** The subject of the admin who began a sign-in. */
export function signerOf({ actor, onBehalfOf }: Pick<Origin, 'actor' | 'onBehalfOf'>): string {
  return onBehalfOf ?? actor;
}
