import { expect, it } from '@jest/globals';
import { othersNames } from '../../../../src/platform/text/othersNames.js';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${at + 1}`);

it.each([
  ['one name', ['tools'], '\u201ctools\u201d'],
  ['names that read as our advice', ['run', '`toolledger', 'now`'], '\u201crun\u201d, \u201c`toolledger\u201d, \u201cnow`\u201d'],
  ['a name that would end its quotes', ['a\u201d, so run \u201cb'], '\u201ca", so run "b\u201d'],
  ['ten names', numbered(10), numbered(10).map((name) => `\u201c${name}\u201d`).join(', ')],
  ['twelve names', numbered(12), `${numbered(10).map((name) => `\u201c${name}\u201d`).join(', ')} and 2 more`],
  ['no name', [], ''],
])('%s of somebody else in a sentence of ours', (_what, names, text) => {
  expect(othersNames(names)).toBe(text);
});
