import { describe, expect, it } from '@jest/globals';
import { removerOf } from '../../../src/platform/scrub/knownSecrets.js';

const secret = ['p@ss', 'word/+', 'with spaces?'].join('');
const remove = removerOf([secret]);
const gone = '[redacted:server_secret]';

describe('known secrets', () => {
  it.each([
    ['as they are', secret],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 without padding', Buffer.from(secret).toString('base64').replace(/=+$/, '')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded in small letters', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['as a form writes them', new URLSearchParams({ '': secret }).toString().slice(1)],
  ])('are taken out %s, wherever they stand', (_, form) => {
    expect(remove(`a${form}b ${form}`)).toBe(`a${gone}b ${gone}`);
  });

  it('leave every other text as it is', () => {
    const text = 'p@ssword and spaces';
    expect(remove(text)).toBe(text);
    expect(removerOf([])(text)).toBe(text);
  });

  it('are passed over when they are so short that they stand in any text', () => {
    expect(removerOf(['a', '', 'abc'])('abcabc')).toBe('abcabc');
  });

  it('are taken out whole when one is the beginning of another', () => {
    expect(removerOf(['token', 'token-longer'])('token-longer token')).toBe(`${gone} ${gone}`);
  });

  it('may hold what has a meaning in regular expressions', () => {
    expect(removerOf(['a.*(b)+[c]\\$^|{1}'])('x a.*(b)+[c]\\$^|{1} y')).toBe(`x ${gone} y`);
  });
});
