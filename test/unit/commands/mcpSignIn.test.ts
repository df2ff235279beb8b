import { describe, expect, it } from '@jest/globals';
import { mcpSignInDecider, mcpSignInStream, type McpSignInCommand } from '../../../src/commands/mcpSignIn/mcpSignIn.js';
import type { McpSignInEvent } from '../../../src/events/catalogue/mcpSignIn.js';
import { deciderSpec } from '../../support/deciderSpec.js';

const { given } = deciderSpec(mcpSignInDecider);
const of = { serverId: 'server-1' };
const issuer = 'https://as.example';

const start = (signInId: string, more: Partial<Extract<McpSignInCommand, { type: 'Start' }>> = {}): McpSignInCommand => ({ ...of, type: 'Start', signInId, issuer, client: 'registered', scopes: ['tools'], ...more });
const complete = (signInId: string): McpSignInCommand => ({ ...of, type: 'Complete', signInId, signer: 'ada', scopes: ['tools'], audience: 'everyone', renewable: true, expiresAt: 9 });
const lapse = (reason: string, ...scopes: string[]): McpSignInCommand => ({ ...of, type: 'RequireReauthorization', signInId: 'a', reason, scopes });

const started = (signInId: string, more: Partial<Extract<McpSignInEvent, { type: 'McpSignInStarted' }>['data']> = {}): McpSignInEvent => ({
  type: 'McpSignInStarted',
  data: { ...of, signInId, issuer, issuerBefore: null, client: 'registered', scopes: ['tools'], ...more },
});
const completed = (signInId: string, scopes: readonly string[] | null = ['tools']): McpSignInEvent => ({
  type: 'McpSignInCompleted',
  data: { ...of, signInId, issuer, signer: 'ada', scopes, audience: 'everyone', renewable: true, expiresAt: 9 },
});
const failed = (signInId: string, reason: string): McpSignInEvent => ({ type: 'McpSignInFailed', data: { ...of, signInId, reason } });
const required = (reason: string, ...scopes: string[]): McpSignInEvent => ({ type: 'McpReauthorizationRequired', data: { ...of, reason, scopes } });
const signedOut: McpSignInEvent = { type: 'McpSignedOut', data: { ...of, reason: 'asked', revocation: 'revoked' } };

it('the accounts at a server have a stream of their own', () => expect(mcpSignInStream('server-1')).toBe('mcpSignIn-server-1'));

describe('a sign-in', () => {
  it('is begun, also beside another one', () => {
    given().when(start('a')).thenEvents(started('a'));
    given(started('a')).when(start('b')).thenEvents(started('b'));
  });

  it('is begun once', () => given(started('a')).when(start('a')).thenNothing());

  it('says where the one before was made, when that was elsewhere', () => {
    given(started('a'), completed('a')).when(start('b', { issuer: 'https://other.example' })).thenEvents(started('b', { issuer: 'https://other.example', issuerBefore: issuer }));
    given(started('a'), completed('a'), signedOut).when(start('b', { issuer: 'https://other.example' })).thenEvents(started('b', { issuer: 'https://other.example', issuerBefore: issuer }));
    given(started('a'), completed('a')).when(start('b')).thenEvents(started('b'));
  });

  it('completes at the issuer it was begun at', () => given(started('a')).when(complete('a')).thenEvents(completed('a')));

  it('completes once', () => given(started('a'), completed('a')).when(complete('a')).thenNothing());

  it('that was never begun, or has ended, does not complete', () => {
    given().when(complete('a')).thenRefused({ code: 'sign_in_unknown', signInId: 'a' });
    given(started('a'), failed('a', 'expired')).when(complete('a')).thenRefused({ code: 'sign_in_unknown', signInId: 'a' });
  });

  it('fails once, and not after it has completed', () => {
    given(started('a')).when({ ...of, type: 'Fail', signInId: 'a', reason: 'expired' }).thenEvents(failed('a', 'expired'));
    given(started('a'), failed('a', 'expired')).when({ ...of, type: 'Fail', signInId: 'a', reason: 'expired' }).thenNothing();
    given(started('a'), completed('a')).when({ ...of, type: 'Fail', signInId: 'a', reason: 'expired' }).thenNothing();
  });

  it('that could not be begun is on record, and nothing is open', () => {
    given().when({ ...of, type: 'FailToStart', signInId: 'a', reason: 'blocked_address' }).thenEvents(failed('a', 'blocked_address'));
    given(failed('a', 'blocked_address')).when(complete('a')).thenRefused({ code: 'sign_in_unknown', signInId: 'a' });
  });

  it('that completes later takes the place of the account before', () => {
    expect(given(started('a'), started('b'), completed('b'), completed('a', null)).state.grant).toMatchObject({ signInId: 'a', scopes: null, lapsed: null });
  });
});

describe('what is turned away', () => {
  const turnAway: McpSignInCommand = { ...of, type: 'TurnAway', signInId: 'a', reason: 'issuer_wrong' };
  const refused: McpSignInEvent = { type: 'McpSignInRefused', data: { ...of, signInId: 'a', reason: 'issuer_wrong' } };

  it('is recorded and ends nothing', () => {
    given(started('a')).when(turnAway).thenEvents(refused);
    given(started('a'), refused).when(complete('a')).thenEvents(completed('a'));
  });

  it('is recorded twenty times and no more, until another sign-in is begun', () => {
    const often = Array.from({ length: 20 }, () => refused);
    given(started('a'), ...often).when(turnAway).thenNothing();
    given(started('a'), ...often, started('b')).when(turnAway).thenEvents(refused);
  });
});

describe('an account', () => {
  it('is renewed while there is one', () => {
    const renew: McpSignInCommand = { ...of, type: 'RecordRefresh', signInId: 'a', rotated: true, expiresAt: 5, scopes: null };
    given(started('a'), completed('a')).when(renew).thenEvents({ type: 'McpTokenRefreshed', data: { ...of, rotated: true, expiresAt: 5, scopes: null } });
    given().when(renew).thenNothing();
  });

  it.each([
    ['fewer', ['tools', 'admin'], ['tools'], ['tools']],
    ['more', ['tools'], ['tools', 'admin'], ['tools', 'admin']],
    ['others', ['tools'], ['admin'], ['admin']],
    ['some, where nobody said before', null, ['tools'], ['tools']],
    ['the same in another order', ['tools', 'admin'], ['admin', 'tools'], null],
    ['nobody says what', ['tools'], null, null],
  ])('says what is granted from a renewal on where that changed: %s', (_, before, now, recorded) => {
    const renewed: McpSignInEvent = { type: 'McpTokenRefreshed', data: { ...of, rotated: true, expiresAt: 5, scopes: recorded } };
    given(started('a'), completed('a', before)).when({ ...of, type: 'RecordRefresh', signInId: 'a', rotated: true, expiresAt: 5, scopes: now }).thenEvents(renewed);
    expect(given(started('a'), completed('a', before), renewed).state.grant?.scopes).toEqual(recorded ?? before);
  });

  it('lapses once for each thing that is missing, and the next sign-in asks for everything together', () => {
    given(started('a'), completed('a')).when(lapse('insufficient_scope', 'admin')).thenEvents(required('insufficient_scope', 'admin', 'tools'));
    given(started('a'), completed('a'), required('insufficient_scope', 'tools', 'admin')).when(lapse('insufficient_scope', 'admin')).thenNothing();
    given(started('a'), completed('a'), required('insufficient_scope', 'tools', 'admin')).when(lapse('insufficient_scope', 'more')).thenEvents(required('insufficient_scope', 'more', 'tools', 'admin'));
    expect(given(started('a'), completed('a'), required('insufficient_scope', 'tools', 'admin')).state).toMatchObject({ grant: { lapsed: 'insufficient_scope' }, wanted: ['tools', 'admin'] });
  });

  it('that has as many scopes as are taken still asks for one more that is missing', () => {
    const many = Array.from({ length: 100 }, (_, at) => `scope-${at}`);
    given(started('a', { scopes: many }), completed('a', many)).when(lapse('insufficient_scope', 'admin')).thenEvents(required('insufficient_scope', 'admin', ...many.slice(0, 99)));
    given(started('a', { scopes: many }), completed('a', many), required('insufficient_scope', 'admin', ...many.slice(0, 99))).when(lapse('insufficient_scope', 'admin')).thenNothing();
    given(started('a', { scopes: many }), completed('a', many), required('insufficient_scope', 'admin', ...many.slice(0, 99))).when(lapse('insufficient_scope', 'more')).thenEvents(required('insufficient_scope', 'more', 'admin', ...many.slice(0, 98)));
  });

  it('that was too narrow and then ends is said to have ended', () => {
    given(started('a'), completed('a'), required('insufficient_scope', 'tools', 'admin')).when(lapse('invalid_grant')).thenEvents(required('invalid_grant', 'tools', 'admin'));
    given(started('a'), completed('a'), required('invalid_grant', 'tools')).when(lapse('refused_again')).thenNothing();
  });

  it('that was given less than was asked for is asked for all of it again', () => {
    given(started('a', { scopes: ['tools', 'more'] }), completed('a')).when(lapse('insufficient_scope', 'admin')).thenEvents(required('insufficient_scope', 'admin', 'tools', 'more'));
    given(started('a', { scopes: null }), completed('a', null)).when(lapse('invalid_grant')).thenEvents(required('invalid_grant'));
  });

  it('that could be renewed after all is good again, but not for what was never granted', () => {
    const refreshed: McpSignInEvent = { type: 'McpTokenRefreshed', data: { ...of, rotated: true, expiresAt: 5, scopes: null } };
    expect(given(started('a'), completed('a'), required('refused_again', 'tools'), refreshed).state.grant?.lapsed).toBeNull();
    given(started('a'), completed('a'), required('refused_again', 'tools'), refreshed).when(lapse('invalid_grant')).thenEvents(required('invalid_grant', 'tools'));
    expect(given(started('a'), completed('a'), required('insufficient_scope', 'tools', 'admin'), refreshed).state.grant?.lapsed).toBe('insufficient_scope');
  });

  it('is not spoken of by what was found of the one before it', () => {
    given(started('a'), completed('a'), started('b'), completed('b')).when(lapse('invalid_grant')).thenNothing();
    given(started('a'), completed('a'), started('b'), completed('b')).when({ ...of, type: 'RecordRefresh', signInId: 'a', rotated: true, expiresAt: 5, scopes: null }).thenNothing();
  });

  it('that is not there does not lapse', () => given().when(lapse('invalid_grant')).thenNothing());

  it('is there again after another sign-in', () => {
    expect(given(started('a'), completed('a'), required('invalid_grant', 'tools'), started('b'), completed('b')).state).toMatchObject({ grant: { signInId: 'b', lapsed: null }, wanted: [] });
  });

  it('is signed out once', () => {
    given(started('a'), completed('a')).when({ ...of, type: 'SignOut', reason: 'asked', revocation: 'revoked' }).thenEvents(signedOut);
    given(started('a'), completed('a'), signedOut).when({ ...of, type: 'SignOut', reason: 'asked', revocation: 'revoked' }).thenNothing();
  });
});
