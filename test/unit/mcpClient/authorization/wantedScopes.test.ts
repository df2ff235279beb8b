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
    expect(wanted(['b'], ['x'], ['a', 'b'])).toEqual(['b', 'a']);
    expect(wanted([], null, ['a'])).toEqual(['a']);
  });
  it('with offline_access where the authorization server lists it', () => {
    expect(wanted(['a'], null, [], ['a', 'offline_access'])).toEqual(['a', 'offline_access']);
    expect(wanted(['a', 'offline_access'], null, [], ['offline_access'])).toEqual(['a', 'offline_access']);
    expect(wanted(['a'], null, [], ['a'])).toEqual(['a']);
  });

  describe('where they are more than a URL holds', () => {
    const named = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, at) => `https://api.example/auth/${prefix}.read-${at}`);
    const lengthInUrl = (scopes: readonly string[] | null): number => new URLSearchParams({ scope: (scopes ?? []).join(' ') }).toString().length;

    it('are as many as 2,000 characters of it hold', () => {
      const scopes = wanted([], named('offered', 100), [], ['offline_access']) ?? [];
      expect(lengthInUrl(scopes)).toBeLessThanOrEqual(2_000 + '+offline_access'.length + 'scope='.length);
      expect(scopes.length).toBeGreaterThan(30);
      expect(scopes.at(-1)).toBe('offline_access');
      expect(scopes.slice(0, -1)).toEqual(named('offered', 100).slice(0, scopes.length - 1));
    });
    it('are first those of the challenge, then what was missing before', () => {
      const scopes = wanted(named('challenged', 5), named('offered', 100), [...named('missing', 5), ...named('granted', 100)]) ?? [];
      expect(scopes.slice(0, 10)).toEqual([...named('challenged', 5), ...named('missing', 5)]);
      expect(scopes.slice(10)).toEqual(named('granted', 100).slice(0, scopes.length - 10));
    });
    it('are also shorter ones behind one that does not fit', () => {
      const long = Array.from({ length: 12 }, (_, at) => `${'x'.repeat(196)}${10 + at}`);
      expect(wanted([...long, 'short'], null)).toEqual([...long.slice(0, 10), 'short']);
    });
    it('stay within it when most of their characters take three of a URL', () => {
      const odd = Array.from({ length: 10 }, (_, at) => `${'!~'.repeat(90)}${at}`);
      expect(lengthInUrl(wanted(odd, null))).toBeLessThanOrEqual(2_000 + 'scope='.length);
    });
  });
});
