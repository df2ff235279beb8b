import { describe, expect, it } from '@jest/globals';
import { fewNames } from '../../../src/cli/format/fewNames.js';

const many = (count: number, length = 2): readonly string[] => Array.from({ length: count }, (_, at) => String(at).padStart(length, 'n'));

describe('names on one line', () => {
  it.each<[string, readonly string[], number, string]>([
    ['all of them while they are few', ['a', 'b'], 0, 'a, b'],
    ['the first five', many(5), 0, 'n0, n1, n2, n3, n4'],
    ['how many more there are', many(100), 0, 'n0, n1, n2, n3, n4 and 95 more'],
    ['those that are not even given', many(5), 7, 'n0, n1, n2, n3, n4 and 7 more'],
    ['40 characters of each, whole ones', ['\u{1f600}'.repeat(41)], 0, `${'\u{1f600}'.repeat(39)}…`],
    ['a name of exactly 40', ['x'.repeat(40)], 0, 'x'.repeat(40)],
    ['180 characters in all', many(6, 40), 0, `${many(4, 40).join(', ')} and 2 more`],
  ])('are %s', (_what, names, more, text) => expect(fewNames(names, more)).toBe(text));
});
