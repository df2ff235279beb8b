import { describe, expect, it } from '@jest/globals';
import { mcpServerNameOf } from '../../../src/commands/mcpServers/mcpServerName.js';

describe('mcpServerNameOf', () => {
  it.each([
    ['everything', 'everything'],
    ['  My   Server ', 'My-Server'],
    ['a\t\n b', 'a-b'],
    ['two\u3000words', 'two-words'],
    ['9', '9'],
    ['x'.repeat(32), 'x'.repeat(32)],
    ['a-', 'a-'],
  ])('makes of %j the name %s', (typed, name) => expect(mcpServerNameOf(typed)).toBe(name));

  it.each(['', '   ', '-a', 'x'.repeat(33), 'a_b', 'a.b', 'ä', 'サーバー', 'a\u200bb', 'a\u0000b', '\ud800'])('refuses %j', (typed) =>
    expect(mcpServerNameOf(typed)).toBeNull());
});
