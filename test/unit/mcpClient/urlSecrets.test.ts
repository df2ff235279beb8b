import { describe, expect, it } from '@jest/globals';
import { urlSecrets } from '../../../src/mcp/client/urlSecrets.js';

const drawn = ['zQ7k', 'X2mP9', 'vR4tL', '8wB3n', 'H6jD1'].join('');

describe('the secrets in a server\u2019s URL', () => {
  it.each([
    ['user information', 'https://bot:hunter22@example.org/mcp', ['bot', 'hunter22', 'bot:hunter22']],
    ['a value whose name says so, however short', 'https://example.org/mcp?token=s3cr', ['s3cr']],
    ['a value that is no word', `https://example.org/mcp?x=${drawn}`, [drawn]],
    ['a value as it is written and as it is meant', 'https://example.org/mcp?api_key=a%20b%2Bc', ['a%20b%2Bc', 'a b+c']],
    ['a part of the path that looks drawn at random', `https://example.org/s/${drawn}/mcp`, [drawn]],
    ['a value that is encoded wrongly', 'https://example.org/mcp?token=%zz123456', ['%zz123456']],
  ])('are %s', (_, url, secrets) => {
    expect(urlSecrets(url)).toEqual(secrets);
  });

  it('are not plain words, numbers that are short, or what is no URL', () => {
    expect(urlSecrets('https://example.org/mcp/v1?region=frankfurt&page=12&debug')).toEqual([]);
    expect(urlSecrets('no url')).toEqual([]);
  });
});
