import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Interception } from '../../support/oauth/servers/authorizationServer.js';
import { huge, stalled } from '../../support/oauth/servers/interceptions.js';
import { inThisProcess, jsonInThisProcess } from '../../support/cli/inProcess.js';
import { signInStage } from '../../support/oauth/signInStage.js';

const stage = signInStage();

beforeEach(() => void stage.newlyRecorded());
afterEach(() => {
  stage.authorization.alterMetadata((metadata) => metadata);
  for (const endpoint of ['metadata', 'registration'] as const) stage.authorization.intercept(endpoint, null);
  stage.server.behave({ alterMetadata: (metadata) => metadata, challenge: null, metadataAt: 'path' });
});

/** The command fails with this code, on record; nothing was begun, and nobody was asked for anything. */
async function expectRefused(code: string | RegExp, ...args: string[]): Promise<{ readonly message: string }> {
  const { authorization } = stage;
  const asked = () => [authorization.requests('token').length, authorization.requests('authorization').length];
  const before = asked();
  const { code: exit, document } = await stage.run.json('mcp', 'sign-in', 'club', ...args);
  expect([exit, document.error.code]).toEqual([1, typeof code === 'string' ? code : expect.stringMatching(code)]);
  expect(stage.newlyRecorded()).toEqual([`McpSignInFailed ${document.error.code}`]);
  expect(asked()).toEqual(before);
  expect(stage.holdsAccount()).toBe(false);
  return document.error;
}

/** Where a server may not send us, whatever it names. */
const forbidden = [
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.1/',
  'https://192.168.1.1/',
  'https://[fd00::1]/',
  'https://[::ffff:169.254.169.254]/',
  'http://0xa9fea9fe/',
  'https://metadata.google.internal/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'ftp://127.0.0.1/',
];

describe('an address that may not be reached (SSRF)', () => {
  it.each(forbidden)('%s is not asked for resource metadata', async (url) => {
    stage.server.behave({ challenge: `Bearer resource_metadata="${url}"` });
    await expectRefused(/^(blocked_address|server_unreachable|metadata_unusable)$/);
  });

  it.each(forbidden)('%s is no authorization server', async (url) => {
    stage.server.behave({ alterMetadata: (metadata) => ({ ...metadata, authorization_servers: [url] }) });
    await expectRefused(/^(blocked_address|metadata_unusable|authorization_server_unreachable)$/);
  });

  it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'].flatMap((name) => forbidden.map((url) => [name, url] as const)))('as %s %s is refused', async (name, url) => {
    stage.authorization.alterMetadata((metadata) => ({ ...metadata, [name]: url }));
    await expectRefused(/^(blocked_address|metadata_unusable|authorization_server_unreachable)$/);
  });

  it('is our own port, which no server may name', async () => {
    const { link, stop, ended } = await stage.begin();
    stop();
    await ended;
    stage.newlyRecorded();
    const { origin } = new URL(link);
    for (const name of ['token_endpoint', 'authorization_endpoint', 'registration_endpoint', 'revocation_endpoint']) {
      stage.authorization.alterMetadata((metadata) => ({ ...metadata, [name]: `${origin}/mcp` }));
      await expectRefused('blocked_address');
    }
    stage.server.behave({ challenge: `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"` });
    await expectRefused('blocked_address');
  });

  it('is where metadata or registration redirects to: no redirect is followed', async () => {
    const leading: Interception = (_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      return true;
    };
    stage.authorization.intercept('metadata', leading);
    await expectRefused('metadata_unusable');
    stage.authorization.intercept('metadata', null);
    stage.authorization.intercept('registration', leading);
    await expectRefused('registration_refused', '--register');
  });
});

describe('metadata', () => {
  it('of another resource is refused', async () => {
    for (const resource of ['https://bank.example/mcp', `${stage.server.origin}/mc`, `${stage.server.origin}/mcp/other`, `${stage.server.origin}/mcp/`]) {
      stage.server.behave({ alterMetadata: (metadata) => ({ ...metadata, resource }) });
      expect((await expectRefused('resource_mismatch')).message).toContain('Register the server under the URL that the people who run it name');
    }
  });

  it('that is not there is not guessed', async () => {
    stage.server.behave({ metadataAt: 'nowhere' });
    expect((await expectRefused('no_resource_metadata')).message).toContain('`toolledger mcp set-token club --token-prompt`');
  });

  it('of an authorization server under another name is refused', async () => {
    stage.authorization.alterMetadata((metadata) => ({ ...metadata, issuer: `${stage.authorization.issuer}/` }));
    await expectRefused('issuer_mismatch');
  });

  it('without PKCE is refused', async () => {
    for (const methods of [undefined, [], ['plain']]) {
      stage.authorization.alterMetadata((metadata) => ({ ...metadata, code_challenge_methods_supported: methods }));
      await expectRefused('pkce_unsupported');
    }
  });

  it('that is huge is not read to its end', async () => {
    stage.authorization.intercept('metadata', huge(50_000_000));
    await expectRefused('response_too_large');
    stage.authorization.intercept('metadata', null);
    stage.server.behave({ alterMetadata: (metadata) => ({ ...metadata, filler: 'x'.repeat(1_000_000) }) });
    await expectRefused('response_too_large');
  });

  it('that never comes is given up when the admin gives up, and nothing is begun', async () => {
    stage.authorization.intercept('metadata', stalled);
    const stop = new AbortController();
    const ended = jsonInThisProcess(stage.data, ['mcp', 'sign-in', 'club'], { signal: stop.signal });
    await stage.authorization.received('metadata', stage.authorization.requests('metadata').length + 1);
    stop.abort();
    expect(await ended).toMatchObject({ code: 1 });
    expect(stage.newlyRecorded().filter((entry) => entry.includes('Started'))).toEqual([]);
  });
});

describe('hostile words of servers', () => {
  const nasty = '<script>alert(1)</script>\u202Eevil\u0007\u001b[2J\r\nSet-Cookie: a=b\u2066';

  it('in metadata and registrations reach the terminal harmless and short', async () => {
    stage.authorization.alterMetadata((metadata) => ({ ...metadata, issuer: `${nasty}${'x'.repeat(100_000)}` }));
    const { stderr } = await inThisProcess(stage.data, ['mcp', 'sign-in', 'club']);
    expectHarmless(stderr);
    stage.authorization.alterMetadata((metadata) => metadata);
    stage.authorization.intercept('registration', (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: 'invalid_redirect_uri', error_description: nasty + 'y'.repeat(100_000) }));
      return true;
    });
    expectHarmless((await inThisProcess(stage.data, ['mcp', 'sign-in', 'club', '--register'])).stderr);
  });

  it('as scopes are passed over or shown whole', async () => {
    stage.server.behave({ challenge: `Bearer resource_metadata="${stage.server.origin}/.well-known/oauth-protected-resource/mcp", scope="tools <script> a&b \u00e9 ${'z'.repeat(300)}"` });
    stage.authorization.intercept('registration', (_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ client_id: nasty.replace(/[^ -~]/g, ''), token_endpoint_auth_method: 'none' }));
      return true;
    });
    const { link, stop, ended } = await stage.begin('--register');
    const html = await (await fetch(link)).text();
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('zzzz');
    stop();
    await ended;
  });

  function expectHarmless(stderr: string): void {
    expect(stderr.length).toBeLessThan(1_000);
    // eslint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  }
});

it('after all that the admin signs in, with a client that is registered anew', async () => {
  const { stop, ended } = await stage.begin('--register');
  stop();
  await ended;
  await stage.signIn();
});
