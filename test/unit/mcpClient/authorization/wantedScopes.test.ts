import { describe, expect, it } from '@jest/globals';
import type { AuthorizationServer } from '../../../../src/mcp/client/authorization/discovery/authorizationServer.js';
import { wantedScopes } from '../../../../src/mcp/client/authorization/wantedScopes.js';

const server: AuthorizationServer = {
  issuer: 'https://as.example',
  authorizationEndpoint: 'https://as.example/authorize',
  tokenEndpoint: 'https://as.example/token',
  registrationEndpoint: null,
  revocationEndpoint: null,
  issParameter: false,
  metadataDocuments: false,
  tokenAuthMethods: null,
  scopes: null,
};
const wanted = (challenged: readonly string[], offered: readonly string[] | null, earlier: readonly string[] = [], scopes: readonly string[] | null = null) =>
  wantedScopes({ scopes: { challenged, offered }, server: { ...server, scopes } }, earlier);

describe('the scopes to ask for', () => {
  it('are those of the challenge', () => expect(wanted(['a'], ['a', 'b'])).toEqual(['a']));
  it('else those that the resource offers', () => expect(wanted([], ['a', 'b'])).toEqual(['a', 'b']));
  it('else none: the authorization server decides', () => {
    expect(wanted([], null)).toBeNull();
    expect(wanted([], [], [], ['offline_access'])).toBeNull();
  });
  it('always with what was asked for earlier', () => {
    expect(wanted(['b'], ['x'], ['a', 'b'])).toEqual(['a', 'b']);
    expect(wanted([], null, ['a'])).toEqual(['a']);
  });
  it('with offline_access where the authorization server lists it', () => {
    expect(wanted(['a'], null, [], ['a', 'offline_access'])).toEqual(['a', 'offline_access']);
    expect(wanted(['a', 'offline_access'], null, [], ['offline_access'])).toEqual(['a', 'offline_access']);
    expect(wanted(['a'], null, [], ['a'])).toEqual(['a']);
  });
});
