import { describe, expect, it } from '@jest/globals';
import { cutToWidth, displayWidth } from '../../../../src/platform/text/displayWidth.js';

describe('width on a terminal', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['Grüße', 5],
    ['日本語', 6],
    ['ｶﾅ', 2],
    ['４ｄ６', 6],
    ['한국어', 6],
    ['\u1112\u1161\u11ab', 2],
    ['e\u0301', 1],
    ['🎲', 2],
    ['❤\ufe0f', 2],
    ['❤', 1],
    ['👍🏽', 2],
    ['🇯🇵', 2],
    ['→…', 2],
    ['𠮷', 2],
    ['葛\u{e0100}', 2],
  ])('%j takes %d cells', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['abcdef', 1, '…'],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['日本語', 1, '…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['a🇯🇵b', 3, 'a…'],
    ['a👍🏽b', 3, 'a…'],
  ])('%j cut to %d cells is %j', (text, width, cut) => {
    expect(cutToWidth(text, width)).toBe(cut);
  });
});
