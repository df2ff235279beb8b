/** The subject that stands for the operator of this machine, where that is told by the door: nobody else comes through these. Null: nobody knows. */
export function operatorOf({ actor, door }: { readonly actor: string; readonly door: string }): string | null {
  return door === 'cli' || door === 'mcp' ? actor : null;
}
