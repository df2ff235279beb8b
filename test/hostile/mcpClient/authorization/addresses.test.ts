import { describe, expect, it } from '@jest/globals';
import { readAuthorizationServer } from '../../../../src/mcp/client/authorization/discovery/authorizationServer.js';
import { readProtectedResource } from '../../../../src/mcp/client/authorization/discovery/protectedResource.js';
import { never } from '../../../support/mcpClientUnderTest.js';
import { publicWeb, type Names, type PublicWeb } from '../../../support/publicWeb.js';

const mcp = 'https://mcp.example/mcp';
const issuer = 'https://as.example';

/** Where a public server would like to send us. */
const inside: readonly (readonly [string, Names])[] = [
  ['https://127.0.0.1:9000', {}],
  ['https://localhost', {}],
  ['https://[::1]', {}],
  ['https://2130706433', {}],
  ['https://[::ffff:10.0.0.1]', {}],
  ['https://10.0.0.1', {}],
  ['https://192.168.1.1', {}],
  ['https://169.254.169.254', {}],
  ['https://[fe80::1]', {}],
  ['https://[fd00:ec2::254]', {}],
  ['https://100.100.100.200', {}],
  ['https://0.0.0.0', {}],
  ['https://inside.example', { 'inside.example': ['10.0.0.1'] }],
  ['https://loop.example', { 'loop.example': ['127.0.0.1'] }],
  ['https://cloud.example', { 'cloud.example': ['169.254.169.254'] }],
  ['https://mixed.example', { 'mixed.example': ['93.184.216.34', '192.168.0.1'] }],
  ['http://as2.example', {}],
  ['http://127.0.0.1:9000', {}],
];

describe('a public server that names addresses', () => {
  const document = (fields: object = {}) => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    code_challenge_methods_supported: ['S256'],
    ...fields,
  });
  const web = (names: Names, fields: object = {}): PublicWeb => publicWeb(mcp, names, { [`${issuer}/.well-known/oauth-authorization-server`]: document(fields) });
  const read = (from: PublicWeb, of = issuer) => readAuthorizationServer(of, from, never);

  it('may name public ones', async () => {
    expect(await read(web({}, { token_endpoint: 'https://tokens.example/t', authorization_endpoint: 'https://1.1.1.1/a?b=c' }))).toMatchObject({ tokenEndpoint: 'https://tokens.example/t', authorizationEndpoint: 'https://1.1.1.1/a?b=c' });
  });

  it.each(inside)('is not followed to %s for its own metadata', async (origin, names) => {
    const from = web(names);
    await expect(readProtectedResource(mcp, `${origin}/metadata`, from, never)).rejects.toMatchObject({ code: 'blocked_address' });
    expect(from.dialled).toEqual([]);
  });

  it.each(inside)('is not followed to an authorization server at %s', async (origin, names) => {
    const from = web(names);
    await expect(read(from, origin)).rejects.toMatchObject({ code: 'blocked_address' });
    expect(from.dialled).toEqual([]);
  });

  describe.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'])('as %s', (endpoint) => {
    it.each(inside)('is refused with %s', async (origin, names) => {
      await expect(read(web(names, { [endpoint]: `${origin}/x` }))).rejects.toMatchObject({ code: 'blocked_address', message: expect.stringContaining('names an endpoint') });
    });

    it.each([
      ['javascript:alert(1)//as.example', 'blocked_address'],
      ['data:text/html,x', 'blocked_address'],
      ['file:///etc/passwd', 'blocked_address'],
      ['/relative', 'blocked_address'],
      ['https://user:pw@as.example/x', 'blocked_address'],
      ['https://as.example/x y', 'blocked_address'],
      ['https://as.example/x\ny', 'blocked_address'],
      [' https://as.example/x', 'blocked_address'],
      ['https://as.example\\@evil.example/', 'blocked_address'],
      ['https://as.example/x#fragment', 'metadata_unusable'],
      [`https://as.example/${'x'.repeat(500)}`, 'metadata_unusable'],
      ['', 'metadata_unusable'],
      [7, 'metadata_unusable'],
      [['https://as.example/x'], 'metadata_unusable'],
    ])('is refused with %j', async (url, code) => {
      await expect(read(web({}, { [endpoint]: url }))).rejects.toMatchObject({ code });
    });
  });

  it.each(['javascript:alert(1)', 'as.example', 'https://as.example?x=1', 'https://as.example#x', 'https://u:p@as.example', 'ftp://as.example', 'https://as example', ''])('is refused with the issuer %j', async (bad) => {
    const from = web({});
    await expect(read(from, bad)).rejects.toMatchObject({ code: 'metadata_unusable' });
    expect(from.dialled).toEqual([]);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', '//x', 'https://u:p@mcp.example/x', ''])('is refused with its metadata at %j', async (bad) => {
    await expect(readProtectedResource(mcp, bad, web({}), never)).rejects.toMatchObject({ code: 'blocked_address' });
  });
});
