import { expect, it } from '@jest/globals';
import { cutMessage } from '../../../src/mcp/client/failures/cutMessage.js';

it.each([
  ['Ours. It says: \u201ctheirs\u201d', 30, 'Ours. It says: \u201ctheirs\u201d'],
  ['Ours. It says: \u201ctheirs, at length\u201d', 24, 'Ours. It says: \u201ctheirs\u2026\u201d'],
  ['Ours, and nothing else.', 10, 'Ours, and\u2026'],
])('%j of at most %i characters is %j', (message, max, cut) => {
  expect(cutMessage(message, max)).toBe(cut);
});
