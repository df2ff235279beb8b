import { expect, it } from '@jest/globals';
import { mcpSignInDecider, mcpSignInStream } from '../../../../src/commands/mcpSignIn/mcpSignIn.js';
import { signInEntries, signInText } from '../../../../src/operations/servers/replay/signInEntries.js';
import type { McpSignInEvent } from '../../../../src/events/catalogue/mcpSignIn.js';
import { handlerUnderTest, origin } from '../../../support/handlerUnderTest.js';

const of = { serverId: 'server-1', signInId: 'sign-in-1' };
const issuer = 'https://as.example';

it.each<[string, McpSignInEvent]>([
  [
    'A sign-in at https://as.example was begun, as the client that toolledger registered there, for “tools”, “admin”.',
    { type: 'McpSignInStarted', data: { ...of, issuer, issuerBefore: null, client: 'registered', scopes: ['tools', 'admin'] } },
  ],
  [
    'A sign-in at https://as.example was begun, as the client that an admin gave, for nothing in particular. The one before was made at https://old.example.',
    { type: 'McpSignInStarted', data: { ...of, issuer, issuerBefore: 'https://old.example', client: 'given', scopes: null } },
  ],
  [
    'Signed in at https://as.example by person ada, for “tools”; its tools are for everyone in the workspace.',
    { type: 'McpSignInCompleted', data: { ...of, issuer, signer: 'ada', scopes: ['tools'], audience: 'everyone', renewable: true, expiresAt: null } },
  ],
  [
    'Signed in at https://as.example by the operator of this machine, for no scope; its tools are for that person alone. It cannot be renewed.',
    { type: 'McpSignInCompleted', data: { ...of, issuer, signer: 'op', scopes: [], audience: 'signer', renewable: false, expiresAt: null } },
  ],
  ['The sign-in came to nothing: its time was over (expired).', { type: 'McpSignInFailed', data: { ...of, reason: 'expired' } }],
  [
    'The sign-in came to nothing: the authorization server did not answer, or answered that it cannot now (authorization_server_unreachable).',
    { type: 'McpSignInFailed', data: { ...of, reason: 'authorization_server_unreachable' } },
  ],
  ['The sign-in came to nothing: some_day.', { type: 'McpSignInFailed', data: { ...of, reason: 'some_day' } }],
  ['Somebody was turned away who was no part of the sign-in: it came from another browser (other_browser).', { type: 'McpSignInRefused', data: { ...of, reason: 'other_browser' } }],
  ['The access token was renewed.', { type: 'McpTokenRefreshed', data: { ...of, rotated: false, expiresAt: null, scopes: null } }],
  ['The access token was renewed. Granted from now on: “tools”, “admin”.', { type: 'McpTokenRefreshed', data: { ...of, rotated: false, expiresAt: null, scopes: ['tools', 'admin'] } }],
  ['The access token was renewed, and what renews it too.', { type: 'McpTokenRefreshed', data: { ...of, rotated: true, expiresAt: null, scopes: null } }],
  [
    'The account that was signed in is still good, but lacks scopes: “admin”. Its server waits for a sign-in that grants it (insufficient_scope), or for a look that works without the tool that wants it.',
    { type: 'McpReauthorizationRequired', data: { serverId: of.serverId, reason: 'insufficient_scope', scopes: ['tools', 'offline_access', 'admin'] } },
  ],
  [
    'The account cannot be used until somebody signs in again: the authorization server does not renew it any more (invalid_grant).',
    { type: 'McpReauthorizationRequired', data: { serverId: of.serverId, reason: 'invalid_grant', scopes: ['tools'] } },
  ],
  ['Signed out: an admin asked for it (asked); its tokens were revoked.', { type: 'McpSignedOut', data: { serverId: of.serverId, reason: 'asked', revocation: 'revoked' } }],
  ['Tokens that no account is used with were given up: they were left over in the vault (left_over); they were revoked.', { type: 'McpTokensGivenUp', data: { ...of, reason: 'left_over', revocation: 'revoked' } }],
])('%s', (text, event) => {
  expect(signInText(event, ['tools'], 'op')).toBe(text);
});

it('what an account lacks is told by what was granted last, not first', async () => {
  const { handler, store } = handlerUnderTest();
  const [serverId, signInId] = ['0198c0de-0000-7000-8000-00000000000a', '0198c0de-0000-7000-8000-00000000000b'];
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [
    { type: 'Start', serverId, signInId, issuer, client: 'registered', scopes: ['tools', 'admin'] },
    { type: 'Complete', serverId, signInId, signer: '0198c0de-0000-7000-8000-00000000000c', scopes: ['tools', 'admin'], audience: 'everyone', renewable: true, expiresAt: null },
    { type: 'RecordRefresh', serverId, signInId, rotated: false, expiresAt: null, scopes: ['tools'] },
    { type: 'RequireReauthorization', serverId, signInId, reason: 'insufficient_scope', scopes: ['admin'] },
  ], origin);
  const entries = await signInEntries(store, serverId, null);
  expect(entries.map(({ text }) => text).slice(2)).toEqual([
    'The access token was renewed. Granted from now on: “tools”.',
    expect.stringContaining('lacks scopes: “admin”'),
  ]);
});

it.each([
  ['the operator of this machine', 'cli'],
  ['person 0198c0de-0000-7000-8000-00000000000c', 'discord'],
] as const)('who signs in for themselves is named by the door they came through: %s, through %s', async (name, door) => {
  const { handler, store } = handlerUnderTest();
  const [serverId, signInId, signer] = ['0198c0de-0000-7000-8000-00000000000a', '0198c0de-0000-7000-8000-00000000000b', '0198c0de-0000-7000-8000-00000000000c'];
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [
    { type: 'Start', serverId, signInId, issuer, client: 'registered', scopes: null },
    { type: 'Complete', serverId, signInId, signer, scopes: null, audience: 'everyone', renewable: true, expiresAt: null },
  ], { ...origin, actor: signer, door });
  expect((await signInEntries(store, serverId, null))[1]?.text).toContain(`Signed in at ${issuer} by ${name}, for`);
});
