const most = 5;
const longest = 40;
const inAll = 180;

/**
 * Names for one line: the first five, 40 characters of each and 180 in all, and how many more there are.
 * @param more how many there are beyond those given
 */
export function fewNames(names: readonly string[], more = 0): string {
  const shown: string[] = [];
  let used = 0;
  for (const name of names.slice(0, most)) {
    const cut = shortened(name);
    used += Array.from(cut).length + (shown.length === 0 ? 0 : ', '.length);
    if (used > inAll) break;
    shown.push(cut);
  }
  const left = names.length - shown.length + more;
  return left === 0 ? shown.join(', ') : `${shown.join(', ')} and ${left} more`;
}

function shortened(name: string): string {
  const characters = Array.from(name);
  return characters.length <= longest ? name : `${characters.slice(0, longest - 1).join('')}…`;
}
