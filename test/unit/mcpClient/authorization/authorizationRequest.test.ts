import { describe, expect, it } from '@jest/globals';
import { calculatePKCECodeChallenge } from 'oauth4webapi';
import { authorizationUrl, newVerifier } from '../../../../src/mcp/client/authorization/authorizationRequest.js';

const request = {
  server: { authorizationEndpoint: 'https://as.example/authorize' },
  client: { clientId: 'client 1&x' },
  redirectUri: 'https://we.example/oauth/callback',
  state: 'the-state',
  verifier: 'a'.repeat(43),
  scopes: ['read', 'write:all'],
  resource: 'https://mcp.example/mcp',
};

describe('the authorization request', () => {
  it('says all of it, and the challenge in place of the verifier', async () => {
    const url = new URL(authorizationUrl(request));
    expect(`${url.origin}${url.pathname}`).toBe('https://as.example/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client 1&x',
      redirect_uri: 'https://we.example/oauth/callback',
      state: 'the-state',
      code_challenge: await calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
      resource: 'https://mcp.example/mcp',
      scope: 'read write:all',
    });
    expect(url.href).not.toContain(request.verifier);
  });

  it.each([null, []])('leaves the scope out where there is none to ask for (%j)', (scopes) => {
    expect(new URL(authorizationUrl({ ...request, scopes })).searchParams.has('scope')).toBe(false);
  });

  it('asks for consent with offline_access', () => {
    expect(new URL(authorizationUrl({ ...request, scopes: ['a', 'offline_access'] })).searchParams.get('prompt')).toBe('consent');
  });

  it('keeps a query of the endpoint, and lets nothing there speak for us', () => {
    const server = { authorizationEndpoint: 'https://as.example/authorize?tenant=1&client_id=other&client_id=third&redirect_uri=https://evil.example' };
    const { searchParams } = new URL(authorizationUrl({ ...request, server }));
    expect([searchParams.get('tenant'), searchParams.getAll('client_id'), searchParams.getAll('redirect_uri')]).toEqual(['1', ['client 1&x'], ['https://we.example/oauth/callback']]);
  });

  it('draws verifiers of 256 bits in the alphabet of RFC 7636', () => {
    const sizes: number[] = [];
    const verifier = newVerifier((size) => {
      sizes.push(size);
      return Buffer.alloc(size, 0xfb);
    });
    expect([sizes, verifier]).toEqual([[32], expect.stringMatching(/^[A-Za-z0-9\-._~]{43}$/)]);
  });
});
