import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthorizationParts } from '../../../../src/mcp/client/authorization/authorizationFetch.js';
import { discover, type Discovery } from '../../../../src/mcp/client/authorization/discovery/discover.js';
import { authorizationLimits } from '../../../../src/platform/net/connectorPolicy.js';
import { plainParts } from '../../../support/authorizationParts.js';
import { never } from '../../../support/mcpClientUnderTest.js';
import { jsonly, plainly, startRecordingServer, type Answer, type RecordingServer } from '../../../support/recordingServer.js';

const resourcePath = '/.well-known/oauth-protected-resource/mcp';
const serverPath = '/.well-known/oauth-authorization-server';
const most = 256 * 1024;

describe('finding out how to sign in at a server that means harm', () => {
  let peer: RecordingServer;

  beforeEach(async () => {
    peer = await startRecordingServer();
    peer.on('/mcp', plainly(401, { 'www-authenticate': 'Bearer' }));
    peer.on(resourcePath, resource());
    peer.on(serverPath, metadata());
  });
  afterEach(() => peer.stop());

  const resource = (fields: object = {}) => ({ resource: `${peer.origin}/mcp`, authorization_servers: [peer.origin], ...fields });
  const metadata = (fields: object = {}) => ({
    issuer: peer.origin,
    authorization_endpoint: `${peer.origin}/authorize`,
    token_endpoint: `${peer.origin}/token`,
    code_challenge_methods_supported: ['S256'],
    ...fields,
  });
  const find = (parts: Partial<AuthorizationParts> = {}): Promise<Discovery> => discover({ url: `${peer.origin}/mcp`, workspace: 'local' }, null, { ...plainParts, ...parts }, never);
  const hurried = (tight: Partial<typeof authorizationLimits>) => ({ limits: { ...authorizationLimits, ...tight } });

  it('works as long as nobody does', async () => {
    expect(await find()).toMatchObject({ server: { issuer: peer.origin } });
  });

  it.each(['http://mcp.example', 'http://10.0.0.1', 'https://10.0.0.1', 'https://169.254.169.254', 'http://169.254.169.254'])('does not go from this machine to %s', async (origin) => {
    peer.on(resourcePath, resource({ authorization_servers: [origin] }));
    await expect(find()).rejects.toMatchObject({ code: 'blocked_address' });
    peer.on(resourcePath, resource());
    peer.on(serverPath, metadata({ token_endpoint: `${origin}/token` }));
    await expect(find()).rejects.toMatchObject({ code: 'blocked_address' });
    peer.on('/mcp', plainly(401, { 'www-authenticate': `Bearer resource_metadata="${origin}/x"` }));
    await expect(find()).rejects.toMatchObject({ code: 'blocked_address' });
  });

  it("does not go to the program's own listeners", async () => {
    const own = await startRecordingServer();
    peer.on(resourcePath, resource({ authorization_servers: [own.origin] }));
    const ownPorts = new Set([Number(new URL(own.origin).port)]);
    await expect(find({ localReach: { localOrigins: new Set([own.origin]), ownPorts } })).rejects.toMatchObject({ code: 'blocked_address' });
    expect(own.requests).toEqual([]);
    await own.stop();
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect (%i)', async (status) => {
    const elsewhere = plainly(status, { location: `${peer.origin}/elsewhere?secret=abc` });
    peer.on('/elsewhere', resource());
    for (const [path, code] of [['/mcp', 'server_unreachable'], [resourcePath, 'metadata_unusable'], [serverPath, 'metadata_unusable']] as const) {
      const inPlace: Answer = path === '/mcp' ? plainly(401) : path === resourcePath ? resource() : metadata();
      peer.on(path, elsewhere);
      await expect(find()).rejects.toMatchObject({ code, message: expect.stringContaining('redirect') });
      peer.on(path, inPlace);
    }
    expect(peer.asked()).not.toContain('GET /elsewhere?secret=abc');
  });

  it.each([resourcePath, serverPath])('reads 256 KiB of %s and not a byte more', async (path) => {
    const text = JSON.stringify(path === resourcePath ? resource() : metadata());
    peer.on(path, plainly(200, { 'content-type': 'application/json' }, text.padEnd(most)));
    expect(await find()).toMatchObject({ server: { issuer: peer.origin } });
    peer.on(path, plainly(200, { 'content-type': 'application/json' }, text.padEnd(most + 1)));
    await expect(find()).rejects.toMatchObject({ code: 'response_too_large' });
  });

  it.each([
    ['/mcp', 'server_unreachable'],
    [resourcePath, 'server_unreachable'],
    [serverPath, 'authorization_server_unreachable'],
  ])('waits only so long for an answer of %s', async (path, code) => {
    peer.on(path, () => undefined);
    await expect(find(hurried({ headersMs: 50 }))).rejects.toMatchObject({ code });
  });

  it.each([
    [resourcePath, 'server_unreachable'],
    [serverPath, 'authorization_server_unreachable'],
  ])('waits only so long for the rest of %s', async (path, code) => {
    peer.on(path, (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'));
    await expect(find(hurried({ totalMs: 100 }))).rejects.toMatchObject({ code });
  });

  it('waits only so long for all of it', async () => {
    peer.on(serverPath, () => undefined);
    await expect(find({ discoveryMs: 100 })).rejects.toMatchObject({ code: 'server_unreachable', message: expect.stringContaining('0.1 seconds') });
  });

  it('gives up on a challenge of 100 kB', async () => {
    peer.on('/mcp', plainly(401, { 'www-authenticate': `Bearer scope="${'x '.repeat(50_000)}"` }));
    await expect(find()).rejects.toMatchObject({ code: 'server_unreachable' });
  });

  it.each<[string, unknown]>([
    ['nested 20,000 deep', JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
    ['with names of the language', { __proto__: null, constructor: 'x', issuer: 1 }],
    ['null', null],
    ['a number', 7],
  ])('refuses a document that is %s', async (_, document) => {
    const text = document !== null && Array.isArray(document) ? `${'['.repeat(20_000)}${']'.repeat(20_000)}` : JSON.stringify(document);
    for (const path of [serverPath, resourcePath]) {
      peer.on(path, plainly(200, { 'content-type': 'application/json' }, text));
      await expect(find()).rejects.toMatchObject({ code: 'metadata_unusable' });
    }
  });

  it('does not take over what a document says of prototypes', async () => {
    peer.on(serverPath, plainly(200, { 'content-type': 'application/json' }, JSON.stringify(metadata()).replace('{', '{"__proto__":{"registration_endpoint":"https://evil.example/"},')));
    expect(await find()).toMatchObject({ server: { registrationEndpoint: null } });
  });

  it('repeats nothing that could fool who reads the message', async () => {
    peer.on(serverPath, metadata({ issuer: 'https://evil.example/\u001b[2J\u202e?token=ghp_abcdefghijklmnopqrstuvwxyz0123456789' }));
    const message = await find().then(String, (error: unknown) => (error as Error).message);
    // eslint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\u0000-\u001f\u202e]|ghp_/);
    expect(message).toContain('https://evil.example');
  });

  it('shows no path or query of any URL', async () => {
    peer.on(resourcePath, jsonly(200, resource({ resource: 'https://other.example/path-of-a-secret?key=value-of-a-secret' })));
    await expect(find()).rejects.toMatchObject({ code: 'resource_mismatch', message: expect.not.stringMatching(/-of-a-secret/) });
  });
});
