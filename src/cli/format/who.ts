/** Who did something, through which door, and for whom. */
export function who({ actor, door, onBehalfOf }: { readonly actor: string; readonly door: string; readonly onBehalfOf: string | null }): string {
  if (actor === 'system') return 'toolledger itself';
  return `${actor} through ${door}${onBehalfOf === null ? '' : `, on behalf of ${onBehalfOf}`}`;
}
