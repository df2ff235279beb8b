import { describe, expect, it } from '@jest/globals';
import { hiddenLines } from '../../../src/cli/commands/mcp/listingLines.js';

const hidden = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `t${at}`, code: 'name_collision', text: 'Taken.' }));

describe('the hidden tools of servers', () => {
  it('are explained one by one while they are few', () => {
    expect(hiddenLines([{ name: 'a', hidden: hidden(1) }, { name: 'b', hidden: [] }], 'local')).toEqual(['Hidden: t0 of a: name_collision: Taken.']);
    expect(hiddenLines([{ name: 'a', hidden: hidden(5) }], 'local')).toHaveLength(5);
  });

  it('are counted beyond five of a server', () => {
    expect(hiddenLines([{ name: 'a', hidden: hidden(128) }, { name: 'b', hidden: hidden(1) }], 'g7').slice(4)).toEqual([
      'Hidden: t4 of a: name_collision: Taken.',
      'Hidden: 123 more of a: toolledger tools list --explain --workspace g7',
      'Hidden: t0 of b: name_collision: Taken.',
    ]);
  });
});
