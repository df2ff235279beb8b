import { describe, expect, it } from '@jest/globals';
import { givenToken, typedToken } from '../../../src/operations/servers/registering/givenToken.js';

describe('a token as somebody pasted it', () => {
  it.each([
    ['abc', 'abc'],
    [' a~b"\\c!\r\n', 'a~b"\\c!'],
    ['x'.repeat(500), 'x'.repeat(500)],
    [`${'x'.repeat(500)}\n`, 'x'.repeat(500)],
    [' \n', null],
    ['', null],
    [null, null],
  ])('%j is %j', (given, token) => expect(typedToken(givenToken.parse(given))).toBe(token));

  it.each([
    ['a line break', 'two\nlines', 'it holds a space or line break at place 4'],
    ['a space', 'abc def', 'it holds a space or line break at place 4'],
    ['the scheme before it', 'bearer abc', 'it begins with the word "Bearer", which is to be left out'],
    ['a control character', 'ab\u0007c', 'it holds a control character at place 3'],
    ['what is not ASCII', 'p\u00e4ss', 'it holds a character that is not ASCII at place 2'],
    ['a hidden character', 'abc\u200b', 'it holds a character that is not ASCII at place 4'],
    ['more than 500 characters', 'x'.repeat(501), 'it has 501 characters'],
  ])('is a mistake with %s; what it is, is not told', (_what, given, problem) => {
    const messages = givenToken.safeParse(given).error?.issues.map(({ message }) => message);
    expect(messages).toEqual([`${problem}. Nothing was sent; copy the token again, alone: a token is 1 to 500 visible ASCII characters`]);
  });
});
