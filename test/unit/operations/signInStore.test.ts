import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PendingSignIn, SignInPhase } from '../../../src/operations/servers/signIn/pending/pendingSignIn.js';
import { signInStore, type SignInStore } from '../../../src/operations/servers/signIn/pending/signInStore.js';
import { openVault, type Vault } from '../../../src/platform/vault/vault.js';

let directory: string;
let vault: Vault;
let signIns: SignInStore;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signins-'));
  vault = openVault({ file: join(directory, 'keys.db'), masterKeyFile: join(directory, 'master.key'), masterKey: null, clock: { now: () => 0 } });
  signIns = signInStore(vault);
});
afterEach(() => {
  vault.close();
  rmSync(directory, { recursive: true });
});

const issuer = 'https://as.example';
const server = { issuer, authorizationEndpoint: `${issuer}/auth`, tokenEndpoint: `${issuer}/token`, registrationEndpoint: null, revocationEndpoint: null, issParameter: true, metadataDocuments: false, tokenAuthMethods: null, scopes: null };
const client = { clientId: 'c', clientSecret: 'client-secret', authMethod: 'client_secret_post', source: 'given', redirectUri: 'http://127.0.0.1:1/oauth/callback', scopes: [], secretExpiresAt: null } as const;
const origin = { actor: 'ada', door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null } as const;
const audience = { who: 'everyone', roles: [] } as const;
const brought = { cookie: 'cookie-digest', answer: 'answer-digest' };
const tokens = { accessToken: 'access-secret', refreshToken: 'refresh-secret', expiresAt: null, scopes: null };

const signIn = (signInId: string, phase: SignInPhase, expiresAt = 1_000): PendingSignIn => ({
  signInId, serverId: 's', serverName: 'club', origin, resource: 'https://mcp.example/mcp', server, issuerBefore: null, client, redirectUri: client.redirectUri, scopes: null, expiresAt,
  secrets: { link: 'link-secret', form: 'form-secret', state: 'state-secret' }, phase,
});

/** Begins one and ends it. */
async function ended(signInId: string, phase: SignInPhase, expiresAt?: number): Promise<void> {
  const pending = signIn(signInId, phase, expiresAt);
  await signIns.put(pending);
  const found = await signIns.read(signInId);
  if (found === null || !('pending' in found)) throw new Error('not begun');
  expect(await signIns.end(pending, found.version)).toBe(true);
}

describe('what is left of a sign-in that has ended', () => {
  it.each<[string, SignInPhase]>([
    ['nobody followed', { kind: 'offered' }],
    ['a browser was sent away with', { kind: 'redirected', cookie: 'cookie-secret', page: 'page-secret', verifier: 'verifier-secret', audience }],
    ['an answer was taken of', { kind: 'answered', audience, brought }],
    ['brought tokens', { kind: 'exchanged', audience, brought, tokens }],
    ['failed', { kind: 'failing', reason: 'expired', brought: null }],
  ])('holds nothing that was secret: one that %s', async (_, phase) => {
    await ended('a', phase);
    const left = await vault.getSecret('signIn-a', 'signIn');
    expect(left).toContain('"club"');
    expect(left).not.toContain('secret');
  });

  it('is forgotten when its time would have been over; what is under way stays', async () => {
    await ended('over', { kind: 'offered' }, 1_000);
    await ended('not yet', { kind: 'offered' }, 1_001);
    await signIns.put(signIn('under way', { kind: 'offered' }, 1_000));
    await signIns.forgetEnded(1_000);
    expect(await signIns.read('over')).toBeNull();
    expect(await signIns.read('not yet')).toHaveProperty('ended');
    expect(await signIns.read('under way')).toHaveProperty('pending');
  });
});

it('a sign-in that has changed since it was read is neither changed nor ended', async () => {
  await signIns.put(signIn('a', { kind: 'offered' }));
  const found = await signIns.read('a');
  if (found === null || !('pending' in found)) throw new Error('not begun');
  expect(await signIns.swap(signIn('a', { kind: 'answered', audience, brought }), found.version)).not.toBeNull();
  expect(await signIns.swap(signIn('a', { kind: 'offered' }), found.version)).toBeNull();
  expect(await signIns.end(found.pending, found.version)).toBe(false);
  expect(await signIns.read('a')).toMatchObject({ pending: { phase: { kind: 'answered' } } });
});
