/** What one roll may ask for, so that it always ends soon and its total is exact. */
export const diceLimits = {
  /** UTF-16 code units of the notation. */
  notationLength: 200,
  /** Dice one term may name. */
  dicePerTerm: 100,
  /** Dice thrown in the whole roll, with explosions and rerolls. */
  throws: 1_000,
  sides: 1_000_000,
  /** The largest number that may be written. */
  number: 1_000_000_000,
  /** Parentheses and minus signs inside one another. */
  nesting: 20,
} as const;
