import { describe, expect, it } from '@jest/globals';
import { readTokenAnswer } from '../../../../src/mcp/client/authorization/tokens/tokenAnswer.js';

const now = 1_000_000;
const plain = { access_token: 'at', token_type: 'Bearer' };
const read = (fields: { readonly [name: string]: unknown }) => readTokenAnswer({ ...plain, ...fields }, now, ['the-code']);

describe('a token answer', () => {
  it('gives the tokens, their end and what was granted', () => {
    expect(read({ refresh_token: 'rt', expires_in: 60, scope: 'a b' })).toEqual({ accessToken: 'at', refreshToken: 'rt', expiresAt: 1_060_000, scopes: ['a', 'b'] });
  });

  it('says little and does', () => {
    expect(read({})).toEqual({ accessToken: 'at', refreshToken: null, expiresAt: null, scopes: null });
    expect(read({ refresh_token: null, expires_in: null, scope: null })).toEqual(read({}));
    expect(read({ refresh_token: '', scope: '' })).toEqual(read({}));
  });

  it.each(['bearer', 'BEARER'])('is of type %s', (token_type) => expect(read({ token_type })).toMatchObject({ accessToken: 'at' }));

  it.each(['garbage', 'a.b.c', 7, { x: 1 }, null])('may bring an id token (%j), which is not looked at', (id_token) => {
    expect(read({ id_token })).toEqual(read({}));
  });

  it.each([
    ['as text', '3600', 4_600_000],
    ['as a fraction', 0.5, 1_000_500],
    ['at once', 0, now],
    ['later than is believed', 1e300, now + 315_360_000_000],
    ['as a long text', '9'.repeat(400), null],
    ['before now', -1, null],
    ['as words', 'soon', null],
    ['as a number that JSON cannot write', Infinity, null],
    ['as a list', [60], null],
  ])('ends %s', (_, expires_in, expiresAt) => {
    expect(read({ expires_in })).toMatchObject({ expiresAt });
  });

  it.each([
    ['no access token', { access_token: undefined }, 'access_token'],
    ['a blank one', { access_token: '' }, 'access_token'],
    ['one over 16 KiB', { access_token: 'x'.repeat(16_385) }, 'access_token'],
    ['one with a line break', { access_token: 'a\r\nx-evil: 1' }, 'access_token'],
    ['one with a space', { access_token: 'a b' }, 'access_token'],
    ['one that is no text', { access_token: { a: 1 } }, 'access_token'],
    ['no type', { token_type: undefined }, 'token_type'],
    ['a type we cannot prove', { token_type: 'DPoP' }, 'token_type'],
    ['a refresh token over 16 KiB', { refresh_token: 'x'.repeat(16_385) }, 'refresh_token'],
    ['a refresh token with a control character', { refresh_token: 'a\u0000' }, 'refresh_token'],
  ])('is useless with %s', (_, fields, field) => {
    expect(read(fields)).toBe(field);
  });

  it('takes tokens of 16 KiB', () => expect(read({ access_token: 'x'.repeat(16_384) })).toMatchObject({ accessToken: 'x'.repeat(16_384) }));

  it('takes no secret for a scope, which goes on record', () => {
    const given = { access_token: 'access-1', refresh_token: 'refresh-1', scope: 'tools access-1 x.refresh-1 the-code dGhlLWNvZGU read' };
    expect(read(given)).toMatchObject({ scopes: ['tools', 'read'] });
  });

  it.each([undefined, null, 7, 'text', []])('is useless as %j', (document) => expect(typeof readTokenAnswer(document, now, [])).toBe('string'));
});
