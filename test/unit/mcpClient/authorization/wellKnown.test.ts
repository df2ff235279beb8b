import { describe, expect, it } from '@jest/globals';
import { resourceMetadataUrls, serverMetadataUrls } from '../../../../src/mcp/client/authorization/discovery/wellKnown.js';

describe('where the metadata of a resource is looked for', () => {
  it.each([
    ['https://a.example/t/mcp', null, ['https://a.example/.well-known/oauth-protected-resource/t/mcp', 'https://a.example/.well-known/oauth-protected-resource']],
    ['https://a.example/mcp', 'https://b.example/m', ['https://b.example/m', 'https://a.example/.well-known/oauth-protected-resource/mcp', 'https://a.example/.well-known/oauth-protected-resource']],
    ['https://a.example/', null, ['https://a.example/.well-known/oauth-protected-resource']],
    ['https://a.example/mcp/', null, ['https://a.example/.well-known/oauth-protected-resource/mcp/', 'https://a.example/.well-known/oauth-protected-resource']],
    ['https://a.example/mcp?x=1', null, ['https://a.example/.well-known/oauth-protected-resource/mcp?x=1', 'https://a.example/.well-known/oauth-protected-resource']],
  ])('of %s, challenged with %s', (server, challenge, expected) => {
    expect(resourceMetadataUrls(server, challenge)).toEqual(expected);
  });

  it('no place twice', () => {
    const own = 'https://a.example/.well-known/oauth-protected-resource/mcp';
    expect(resourceMetadataUrls('https://a.example/mcp', own)).toEqual([own, 'https://a.example/.well-known/oauth-protected-resource']);
  });
});

describe('where the metadata of an authorization server is looked for', () => {
  it.each([
    ['https://as.example', ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']],
    ['https://as.example/', ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']],
    ['https://as.example/t/1', ['/.well-known/oauth-authorization-server/t/1', '/.well-known/openid-configuration/t/1', '/t/1/.well-known/openid-configuration']],
    ['https://as.example/t/', ['/.well-known/oauth-authorization-server/t', '/.well-known/openid-configuration/t', '/t/.well-known/openid-configuration']],
  ])('of %s', (issuer, paths) => {
    expect(serverMetadataUrls(issuer)).toEqual(paths.map((path) => `https://as.example${path}`));
  });
});
