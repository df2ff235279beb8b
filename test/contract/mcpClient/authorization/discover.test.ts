import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { discover, type Discovery } from '../../../../src/mcp/client/authorization/discovery/discover.js';
import { plainParts } from '../../../support/authorizationParts.js';
import { never } from '../../../support/mcpClientUnderTest.js';
import { jsonly, plainly, startRecordingServer, type RecordingServer } from '../../../support/recordingServer.js';

const ownMetadata = '/.well-known/oauth-protected-resource/t/mcp';
const rootMetadata = '/.well-known/oauth-protected-resource';

describe('finding out how to sign in', () => {
  let mcp: RecordingServer;
  let as: RecordingServer;

  beforeEach(async () => {
    [mcp, as] = await Promise.all([startRecordingServer(), startRecordingServer()]);
    challenge('Bearer');
  });
  afterEach(async () => {
    await Promise.all([mcp.stop(), as.stop()]);
  });

  const challenge = (header: string | null, status = 401) => mcp.on('/t/mcp', plainly(status, header === null ? {} : { 'www-authenticate': header }));
  const resource = (fields: object = {}) => ({ resource: `${mcp.origin}/t/mcp`, authorization_servers: [as.origin], ...fields });
  const metadata = (issuer: string, fields: object = {}) => ({
    issuer,
    authorization_endpoint: `${as.origin}/authorize`,
    token_endpoint: `${as.origin}/token`,
    code_challenge_methods_supported: ['plain', 'S256'],
    ...fields,
  });
  const find = (recorded: string | null = null): Promise<Discovery> => discover({ url: `${mcp.origin}/t/mcp`, workspace: 'local' }, recorded, plainParts, never);
  const atRoot = () => {
    mcp.on(rootMetadata, resource());
    as.on('/.well-known/oauth-authorization-server', metadata(as.origin));
  };

  it('asks without a credential, and keeps what it needs', async () => {
    challenge('Basic realm="x", Bearer scope="read write"');
    mcp.on(ownMetadata, resource({ scopes_supported: ['read', 'write', 'admin', 'not a scope'] }));
    as.on('/.well-known/oauth-authorization-server', metadata(as.origin, {
      registration_endpoint: `${as.origin}/register`,
      revocation_endpoint: `${as.origin}/revoke`,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ['none'],
      scopes_supported: ['read', 'offline_access'],
      anything_else: { x: 1 },
    }));
    expect(await find()).toEqual({
      resource: `${mcp.origin}/t/mcp`,
      server: {
        issuer: as.origin,
        authorizationEndpoint: `${as.origin}/authorize`,
        tokenEndpoint: `${as.origin}/token`,
        registrationEndpoint: `${as.origin}/register`,
        revocationEndpoint: `${as.origin}/revoke`,
        issParameter: true,
        metadataDocuments: true,
        tokenAuthMethods: ['none'],
        scopes: ['read', 'offline_access'],
      },
      scopes: { challenged: ['read', 'write'], offered: ['read', 'write', 'admin'] },
    });
    for (const { headers } of [...mcp.requests, ...as.requests]) expect(headers).not.toHaveProperty('authorization');
    expect(mcp.requests[0]?.headers['user-agent']).toBe('toolledger/0.0.0-test');
    expect(JSON.parse(mcp.requests[0]?.body ?? '')).toMatchObject({ method: 'initialize' });
  });

  describe('looks for the metadata of the resource', () => {
    it('where the challenge says first, then under its path, then at the root', async () => {
      challenge(`Bearer resource_metadata="${mcp.origin}/elsewhere?x=1"`);
      atRoot();
      await find();
      expect(mcp.asked()).toEqual(['POST /t/mcp', 'GET /elsewhere?x=1', `GET ${ownMetadata}`, `GET ${rootMetadata}`]);
    });

    it('no further than the first that is there', async () => {
      challenge(`Bearer resource_metadata="${mcp.origin}/elsewhere"`);
      atRoot();
      mcp.on('/elsewhere', resource());
      await find();
      expect(mcp.asked()).toEqual(['POST /t/mcp', 'GET /elsewhere']);
    });

    it.each([null, 'Basic realm="x"'])('also when the challenge is %j', async (header) => {
      challenge(header, 403);
      atRoot();
      expect(await find()).toMatchObject({ server: { issuer: as.origin }, scopes: { challenged: [], offered: null } });
    });

    it.each([401, 403, 404, 405, 410])('elsewhere when a place answers HTTP %i', async (status) => {
      atRoot();
      mcp.on(ownMetadata, plainly(status));
      await find();
    });

    it('elsewhere when there is a web page', async () => {
      atRoot();
      mcp.on(ownMetadata, plainly(200, { 'content-type': 'text/html' }, '<html></html>'));
      await find();
    });

    it('and takes it without a type', async () => {
      atRoot();
      mcp.on(ownMetadata, plainly(200, { 'content-type': 'application/octet-stream' }, JSON.stringify(resource({ scopes_supported: ['here'] }))));
      expect(await find()).toMatchObject({ scopes: { offered: ['here'] } });
    });

    it.each<[string, () => ReturnType<typeof jsonly>, string]>([
      ['it is of another resource', () => jsonly(200, resource({ resource: 'https://other.example/mcp' })), 'resource_mismatch'],
      ['it is of another path', () => jsonly(200, resource({ resource: `${mcp.origin}/t/mcp2` })), 'resource_mismatch'],
      ['it names no resource', () => jsonly(200, resource({ resource: undefined })), 'metadata_unusable'],
      ['it is JSON and no object', () => jsonly(200, [1]), 'metadata_unusable'],
      ['it is no JSON and says so', () => plainly(200, { 'content-type': 'application/json; charset=utf-8' }, '{'), 'metadata_unusable'],
      ['it lists no authorization servers', () => jsonly(200, resource({ authorization_servers: [] })), 'no_authorization_server'],
      ['it leaves them out', () => jsonly(200, resource({ authorization_servers: undefined })), 'no_authorization_server'],
      ['its authorization servers are no list', () => jsonly(200, resource({ authorization_servers: 'https://as.example' })), 'metadata_unusable'],
      ['the server is out of order', () => plainly(503), 'server_unreachable'],
    ])('and goes no further when %s', async (_, answer, code) => {
      atRoot();
      mcp.on(ownMetadata, answer());
      await expect(find()).rejects.toMatchObject({ code });
      expect(mcp.asked()).not.toContain(`GET ${rootMetadata}`);
    });

    it('and guesses nothing when there is none', async () => {
      as.on('/.well-known/oauth-authorization-server', metadata(as.origin));
      mcp.on('/.well-known/oauth-authorization-server', metadata(mcp.origin));
      await expect(find()).rejects.toMatchObject({ code: 'no_resource_metadata', message: expect.stringContaining(mcp.origin) });
    });
  });

  describe('asks the MCP server', () => {
    it('who wants no sign-in, and offers none', async () => {
      mcp.on('/t/mcp', { jsonrpc: '2.0' });
      await expect(find()).rejects.toMatchObject({ code: 'sign_in_not_needed' });
    });

    it('who wants none yet, and offers one; the session that opened is given back', async () => {
      atRoot();
      mcp.on('/t/mcp', plainly(200, { 'mcp-session-id': 's1', 'content-type': 'application/json' }, '{}'));
      expect(await find()).toMatchObject({ server: { issuer: as.origin } });
      expect(mcp.requests.find(({ method }) => method === 'DELETE')).toMatchObject({ url: '/t/mcp', headers: { 'mcp-session-id': 's1' } });
    });

    it.each(['notifications/initialized', 'tools/list'])('up to its list of tools, when it lets anybody begin: refused at %s', async (gated) => {
      atRoot();
      mcp.on('/t/mcp', (request, response) => {
        const isOpen = request.method === 'DELETE' || mcp.requests.at(-1)?.body.includes(gated) === false;
        response.writeHead(isOpen ? 202 : 401, { 'www-authenticate': 'Bearer scope="basic"', 'mcp-session-id': 's1' }).end();
      });
      expect(await find()).toMatchObject({ scopes: { challenged: ['basic'] } });
      const inSession = mcp.requests.filter(({ headers }) => headers['mcp-session-id'] === 's1');
      expect(inSession.map(({ method }) => method)).toEqual([...(gated === 'tools/list' ? ['POST'] : []), 'POST', 'DELETE']);
    });

    it.each([
      ['JSON', 'application/json', (answer: string) => answer],
      ['a stream that stays open', 'text/event-stream', (answer: string) => `event: message\ndata: ${answer}\n\n`],
    ])('in the protocol version that it chose, told in %s', async (_, type, framed) => {
      atRoot();
      mcp.on('/t/mcp', (request, response) => {
        if (request.headers['mcp-session-id'] === undefined) {
          response.writeHead(200, { 'content-type': type, 'mcp-session-id': 's1' }).write(framed('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26"}}'));
          if (type === 'application/json') response.end();
        } else response.writeHead(request.method === 'DELETE' ? 200 : 401, { 'www-authenticate': 'Bearer scope="basic"' }).end();
      });
      expect(await find()).toMatchObject({ scopes: { challenged: ['basic'] } });
      expect(mcp.requests.filter(({ url }) => url === '/t/mcp').map(({ method, headers }) => [method, headers['mcp-protocol-version']])).toEqual([
        ['POST', undefined],
        ['POST', '2025-03-26'],
        ['DELETE', '2025-03-26'],
      ]);
    });

    it.each([400, 404, 405])('by GET when it answers HTTP %i to a POST, as those of the older transport do', async (status) => {
      atRoot();
      mcp.on('/t/mcp', (request, response) => {
        if (request.method === 'POST') response.writeHead(status).end();
        else response.writeHead(401, { 'www-authenticate': 'Bearer scope="s"' }).end();
      });
      expect(await find()).toMatchObject({ scopes: { challenged: ['s'] } });
      expect(mcp.asked().slice(0, 2)).toEqual(['POST /t/mcp', 'GET /t/mcp']);
    });

    it('and lets go of a stream that such a GET opens', async () => {
      atRoot();
      mcp.on('/t/mcp', (request, response) => {
        if (request.method === 'POST') response.writeHead(405).end();
        else response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\n\n');
      });
      expect(await find()).toMatchObject({ server: { issuer: as.origin } });
    });

    it.each([404, 500, 503])('who answers HTTP %i and is no place to sign in at', async (status) => {
      atRoot();
      mcp.on('/t/mcp', plainly(status));
      await expect(find()).rejects.toMatchObject({ code: 'server_unreachable', message: expect.stringContaining(`HTTP ${status}`) });
    });

    it('who is not there', async () => {
      const gone = await startRecordingServer();
      await gone.stop();
      await expect(discover({ url: `${gone.origin}/mcp`, workspace: 'local' }, null, plainParts, never)).rejects.toMatchObject({ code: 'server_unreachable' });
    });
  });

  describe('looks for the metadata of the authorization server', () => {
    const documents = ['/.well-known/oauth-authorization-server/x/y', '/.well-known/openid-configuration/x/y', '/x/y/.well-known/openid-configuration'];

    it.each([0, 1, 2])('as OAuth, then as OpenID with the path after and before: place %i', async (place) => {
      mcp.on(ownMetadata, resource({ authorization_servers: [`${as.origin}/x/y`] }));
      as.on(documents[place] ?? '', metadata(`${as.origin}/x/y`));
      expect(await find()).toMatchObject({ server: { issuer: `${as.origin}/x/y` } });
      expect(as.asked()).toEqual(documents.slice(0, place + 1).map((path) => `GET ${path}`));
    });

    it('at two places when its issuer has no path', async () => {
      mcp.on(ownMetadata, resource());
      await expect(find()).rejects.toMatchObject({ code: 'metadata_unusable', message: expect.stringContaining('(HTTP 404, HTTP 404)') });
      expect(as.asked()).toEqual(['GET /.well-known/oauth-authorization-server', 'GET /.well-known/openid-configuration']);
    });

    it.each<[string, (issuer: string) => object | null, string]>([
      ['calls itself otherwise', (issuer) => metadata(`${issuer}/other`), 'issuer_mismatch'],
      ['has a final slash more', (issuer) => metadata(`${issuer}/`), 'issuer_mismatch'],
      ['has another case', (issuer) => metadata(issuer.replace('http', 'HTTP')), 'issuer_mismatch'],
      ['does not say who it is', (issuer) => metadata(issuer, { issuer: undefined }), 'metadata_unusable'],
      ['does not speak of PKCE', (issuer) => metadata(issuer, { code_challenge_methods_supported: undefined }), 'pkce_unsupported'],
      ['knows only plain PKCE', (issuer) => metadata(issuer, { code_challenge_methods_supported: ['plain'] }), 'pkce_unsupported'],
      ['gives no codes', (issuer) => metadata(issuer, { response_types_supported: ['token'] }), 'metadata_unusable'],
      ['has no token endpoint', (issuer) => metadata(issuer, { token_endpoint: undefined }), 'metadata_unusable'],
      ['promises iss with something that is no boolean', (issuer) => metadata(issuer, { authorization_response_iss_parameter_supported: 'true' }), 'metadata_unusable'],
      ['is out of order', () => null, 'authorization_server_unreachable'],
    ])('and refuses one that %s, without a look at the next place', async (_, document, code) => {
      mcp.on(ownMetadata, resource());
      const wrong = document(as.origin);
      as.on('/.well-known/oauth-authorization-server', wrong === null ? plainly(500) : jsonly(200, wrong));
      as.on('/.well-known/openid-configuration', metadata(as.origin));
      await expect(find()).rejects.toMatchObject({ code });
      expect(as.asked()).toEqual(['GET /.well-known/oauth-authorization-server']);
    });

    it('says how an authorization server answered that is out of order', async () => {
      mcp.on(ownMetadata, resource());
      as.on('/.well-known/oauth-authorization-server', plainly(503));
      await expect(find()).rejects.toMatchObject({ code: 'authorization_server_unreachable', message: expect.stringContaining('answered HTTP 503') });
    });

    it('takes an issuer with a final slash as it is written', async () => {
      mcp.on(ownMetadata, resource({ authorization_servers: [`${as.origin}/`] }));
      as.on('/.well-known/oauth-authorization-server', metadata(`${as.origin}/`));
      expect(await find()).toMatchObject({ server: { issuer: `${as.origin}/` } });
    });
  });

  describe('of several authorization servers', () => {
    const names = ['/a', '/b', '/c'] as const;
    const issuers = () => names.map((name) => `${as.origin}${name}`);
    const listAll = () => mcp.on(ownMetadata, resource({ authorization_servers: issuers() }));
    const serve = (name: string, fields: object = {}) => as.on(`/.well-known/oauth-authorization-server${name}`, metadata(`${as.origin}${name}`, fields));

    it('takes the first that passes every check', async () => {
      listAll();
      serve('/a', { code_challenge_methods_supported: [] });
      serve('/b');
      serve('/c');
      expect(await find()).toMatchObject({ server: { issuer: `${as.origin}/b` } });
    });

    it('takes the recorded one as long as it is listed', async () => {
      listAll();
      serve('/a');
      serve('/c');
      expect(await find(`${as.origin}/c`)).toMatchObject({ server: { issuer: `${as.origin}/c` } });
      expect(as.asked()).toHaveLength(1);
    });

    it('takes no other in its place when it fails', async () => {
      listAll();
      serve('/a');
      serve('/c', { code_challenge_methods_supported: [] });
      await expect(find(`${as.origin}/c`)).rejects.toMatchObject({ code: 'pkce_unsupported' });
    });

    it('takes the first when the recorded one is not listed any more', async () => {
      listAll();
      serve('/a');
      expect(await find('https://before.example')).toMatchObject({ server: { issuer: `${as.origin}/a` } });
    });

    it('says of each why it cannot be used when none can', async () => {
      listAll();
      serve('/a', { code_challenge_methods_supported: [] });
      serve('/b', { issuer: `${as.origin}/other` });
      await expect(find()).rejects.toMatchObject({ code: 'no_authorization_server', message: expect.stringMatching(/PKCE.+calls itself.+no metadata/) });
    });

    it('sets the words of each apart, also where they are cut', async () => {
      listAll();
      serve('/a', { issuer: `Call 555-0199 ${'now '.repeat(200)}` });
      serve('/b', { issuer: `Call 555-0199 ${'now '.repeat(200)}` });
      const { message } = await find().then(() => new Error(), (error: unknown) => error as Error);
      expect(message.replace(/\u201c[^\u201c\u201d]*\u201d/g, '')).not.toMatch(/555|now|[\u201c\u201d]/);
    });

    it('tries five', async () => {
      mcp.on(ownMetadata, resource({ authorization_servers: Array.from({ length: 90 }, (_, index) => `${as.origin}/${index}`) }));
      await expect(find()).rejects.toMatchObject({ code: 'no_authorization_server' });
      expect(new Set(as.asked().map((line) => /\d+/.exec(line)?.[0])).size).toBe(5);
    });
  });

  it('ends when it is given up', async () => {
    const giveUp = new AbortController();
    mcp.on('/t/mcp', () => giveUp.abort());
    await expect(discover({ url: `${mcp.origin}/t/mcp`, workspace: 'local' }, null, plainParts, giveUp.signal)).rejects.toMatchObject({ code: 'server_unreachable' });
  });
});
