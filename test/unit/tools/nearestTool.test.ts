import { describe, expect, it } from '@jest/globals';
import { nearestTool, unknownToolMessage } from '../../../src/tools/dispatch/begin/nearestTool.js';

const usable = ['roll_dice', 'web_search', 'echo'];

describe('the nearest usable tool', () => {
  it.each([
    ['rol_dice', 'roll_dice'],
    ['ROLL_DICE', 'roll_dice'],
    ['websearch', 'web_search'],
    ['ecko', 'echo'],
    ['delete_everything', null],
    ['', null],
    ['e', null],
  ])('of %j is %j', (given, nearest) => {
    expect(nearestTool(given, usable)).toBe(nearest);
  });

  it('bounds what it says of a name of a million characters and of a thousand tools', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `tool_${n}`);
    const message = unknownToolMessage('x'.repeat(1_000_000), many, []);
    expect(message).toContain('tool_99 and 900 more.');
    expect(message.length).toBeLessThan(2_000);
  });

  it('says when nothing can be used', () => {
    expect(unknownToolMessage('echo', [], [])).toBe('There is no tool named "echo" here. No tool can be used here right now.');
  });
});
