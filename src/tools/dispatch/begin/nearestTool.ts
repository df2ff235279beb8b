import { distance } from 'fastest-levenshtein';

const shownName = 128;
const shownTools = 100;

/**
 * The usable name closest to one that does not exist, or null when none is close: at most a third of it may differ.
 */
export function nearestTool(given: string, usable: readonly string[]): string | null {
  const wanted = given.slice(0, shownName).toLowerCase();
  let best: { readonly name: string; readonly far: number } | null = null;
  for (const name of usable) {
    const far = distance(wanted, name.toLowerCase());
    if (far <= Math.max(wanted.length, name.length) / 3 && (best === null || far < best.far)) best = { name, far };
  }
  return best?.name ?? null;
}

/**
 * What a caller who asked for a tool that does not exist is told.
 * @param usable names the caller could use right now
 * @param undiscovered names of servers whose tools nobody knows yet
 */
export function unknownToolMessage(given: string, usable: readonly string[], undiscovered: readonly string[]): string {
  const nearest = nearestTool(given, usable);
  const sentences = [
    `There is no tool named ${JSON.stringify(given.slice(0, shownName))} here.`,
    ...(nearest === null ? [] : [`Did you mean ${nearest}?`]),
    usable.length === 0 ? 'No tool can be used here right now.' : `Tools that can be used: ${listed(usable)}.`,
    ...(undiscovered.length === 0 ? [] : [`The tools of ${listed(undiscovered)} were never discovered.`]),
  ];
  return sentences.join(' ');
}

function listed(names: readonly string[]): string {
  const more = names.length - shownTools;
  return names.slice(0, shownTools).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
