import { describe, expect, it } from '@jest/globals';
import { makeToolRegistry } from '../../../src/tools/registry.js';
import { builtInTool } from '../../support/dispatch/house.js';

const registry = makeToolRegistry(['search', 'roll_dice', 'fetch_url', 'memory'].map((name) => builtInTool({ name })));

describe('names that people take for those of built-in tools', () => {
  it.each([
    ['the name itself', 'search'],
    ['capitals', 'SEARCH'],
    ['a Cyrillic letter', '\u0455earch'],
    ['Cyrillic capitals', '\u0405EARCH'],
    ['a Greek letter', 'roll_d\u03b9ce'],
    ['full-width letters', '\uff53\uff45\uff41\uff52\uff43\uff48'],
    ['mathematical letters', '\u{1d5cc}earch'],
    ['digits for letters', 'ro11_dice'],
    ['capital I for l', 'roIl_dice'],
    ['two letters for one', 'rnemory'],
    ['a look-alike of the underscore', 'roll\u07fadice'],
    ['something between the letters that is drawn as nothing', 'sea\u200drch'],
  ])('are reserved: %s', (_, name) => {
    expect(registry.reserves(name)).toBe(true);
  });

  it.each(['searches', 'find', 'fetch_uri', 'roll-dice', '検索', ''])('are not everything: %j', (name) => {
    expect(registry.reserves(name)).toBe(false);
  });

  it('cannot be given to two built-in tools either', () => {
    expect(() => makeToolRegistry([builtInTool({ name: 'roll' }), builtInTool({ name: 'ro11' })])).toThrow(expect.objectContaining({ code: 'invalid_tool' }));
  });
});
