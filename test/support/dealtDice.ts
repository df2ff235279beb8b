/**
 * Randomness that shows the given faces of dice in turn.
 * @param values what dice numbered from 1 are to show; for Fate dice 1 is minus, 2 blank, 3 plus
 * @returns the source, and every bound it was asked for
 */
export function dealtDice(...values: readonly number[]): { randomInt: (below: number) => number; asked: number[] } {
  const asked: number[] = [];
  const randomInt = (below: number): number => {
    const value = values[asked.length];
    asked.push(below);
    if (value === undefined || value < 1 || value > below) throw new RangeError(`No die was dealt for throw ${asked.length} of d${below}`);
    return value - 1;
  };
  return { randomInt, asked };
}
