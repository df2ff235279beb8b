import { operatorOf } from '../../operations/operatorOf.js';
import { personName } from '../../operations/personName.js';

interface ByWhom {
  readonly actor: string;
  readonly door: string;
}

/** Who did something, through which door, and for whom. */
export function who({ actor, door, onBehalfOf }: ByWhom & { readonly onBehalfOf: string | null }): string {
  if (actor === 'system') return 'toolledger itself';
  const operator = operatorOf({ actor, door });
  return `${personName(actor, operator)} through ${door}${onBehalfOf === null ? '' : `, on behalf of ${personName(onBehalfOf, operator)}`}`;
}
