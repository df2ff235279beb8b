import { afterEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Fault } from '../../../src/platform/fault.js';
import type { OAuthPages } from '../../../src/web/oauth/oauthPages.js';
import type { OAuthRoutesParts } from '../../../src/web/oauth/oauthRoutes.js';
import { offered, returned, serveSignIn, type ServedSignIn } from '../../support/web/servedSignIn.js';

let served: ServedSignIn;
afterEach(() => served.close());

const serve = async (pages: Partial<OAuthPages> = {}, parts: Parameters<typeof serveSignIn>[1] = {}): Promise<ServedSignIn> => (served = await serveSignIn(pages, parts));

const start = '/oauth/start/link-1';
const callback = '/oauth/callback?code=the-code&state=the-state&iss=https%3A%2F%2Fauth.example';
const choice = { csrf: offered.csrf, page: offered.page, who: 'everyone', roles: '' };
const answer = { csrf: returned.csrf, code: 'the-code', state: 'the-state', iss: 'https://auth.example' };
const behindProxy: Partial<OAuthRoutesParts> = { publicOrigin: 'https://bot.example' };

/** What a reader sees. */
const visible = (body: string): string =>
  body
    .replace(/<style>[^]*<\/style>/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
const title = (body: string): string => /<title>([^]*?)<\/title>/.exec(body)?.[1] ?? '';

describe('the start page', () => {
  it('names server, workspace, admin, authorization server, scopes, who will use it and when the link ends', async () => {
    await serve();
    const { status, headers, body } = await served.send(start);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8']);
    const text = visible(body);
    for (const part of [
      'MCP serverfiles',
      'It is athttps://files.example:443',
      'Workspaceg42',
      'Begun byAda',
      'Authorization serverauth.example',
      'This link ends2026-12-01 at 14:32 UTC',
      'files:read files:write',
      'Everyone in the workspace',
      'Members with one of these roles',
      'role ids of 1 to 20 digits',
      'Only me, Ada',
      'If you did not begin this, close this page.',
    ]) {
      expect(text).toContain(part);
    }
    expect(served.calls).toEqual([['show', 'link-1']]);
  });

  it('has everyone chosen, one button, a language, one heading and no script', async () => {
    await serve();
    const { body } = await served.send(start);
    expect(body).toMatch(/value="everyone" required checked>/);
    expect(body.match(/ checked/g)).toHaveLength(1);
    expect(body.match(/<button/g)).toHaveLength(1);
    expect(body.match(/<h1>/g)).toHaveLength(1);
    expect(body).toContain('<html lang="en">');
    expect(body).not.toMatch(/<script|javascript:|\son[a-z]+=| style="/i);
  });

  it('gives every field that is seen a label', async () => {
    await serve();
    const { body } = await served.send(start);
    for (const [input] of body.matchAll(/<input (?!type="hidden")[^>]*>/g)) {
      const id = / id="([^"]*)"/.exec(input)?.[1];
      expect(id === undefined ? body.includes(`<label class="choice">${input}`) : body.includes(`<label for="${id}">`)).toBe(true);
    }
  });

  it('says so when no scope is asked for by name', async () => {
    await serve({ show: async () => ({ ...offered, scopes: null }) });
    expect(visible((await served.send(start)).body)).toContain('No scope by name');
  });

  it('says where an answer lets nobody in', async () => {
    const [roles, signer] = ['Nobody in the workspace g42 has roles, so nobody could use the tools.', 'No member of the guild can use the tools then'];
    await serve({ show: async (link) => ({ ...offered, hasRoles: link !== 'no-roles', isOutsider: link === 'outsider' }) });
    const shown = async (link: string): Promise<string> => visible((await served.send(`/oauth/start/${link}`)).body);
    for (const [link, ...warned] of [['usual', false, false], ['no-roles', true, false], ['outsider', false, true]] as const) {
      const text = await shown(link);
      expect([link, text.includes(roles), text.includes(signer)]).toEqual([link, ...warned]);
    }
  });

  it('warns when the authorization server is at another host than before', async () => {
    await serve({ show: async () => ({ ...offered, hostBefore: 'before.example' }) });
    expect(visible((await served.send(start)).body)).toContain('The authorization server has changed. Last time it was at before.example; now it is at auth.example.');
  });

  it('warns when it is another one at the same host, and not when it is the same', async () => {
    await serve({ show: async (link) => ({ ...offered, hostBefore: link === 'other' ? offered.host : null }) });
    expect(visible((await served.send('/oauth/start/other')).body)).toContain('names itself differently than last time');
    expect(visible((await served.send('/oauth/start/same')).body)).not.toContain('has changed');
  });

  it('says where the browser goes when that is not the host of the authorization server', async () => {
    await serve({ show: async () => ({ ...offered, formTarget: 'https://login.example:8443' }) });
    const { body } = await served.send(start);
    expect(visible(body)).toContain('Its sign-in page is atlogin.example:8443');
    expect(visible(body)).toContain('Continue to login.example:8443');
  });
});

describe('beginning', () => {
  it('sends the browser on with 303 and ties it to the sign-in by a cookie', async () => {
    await serve();
    const reply = await served.post(start, choice);
    expect(reply).toMatchObject({ status: 303, body: '', headers: { location: 'https://auth.example/authorize?state=s' } });
    expect(reply.headers['set-cookie']).toEqual(['toolledger-signin-a=value-a; Max-Age=600; Path=/oauth; HttpOnly; SameSite=Lax']);
    expect(served.calls).toEqual([['begin', { link: 'link-1', csrf: 'csrf-of-start', page: 'rendered-1', audience: { who: 'everyone', roles: [] } }]]);
  });

  it('sets a Secure cookie, under a name only https can set, when the browser is at an https origin behind a proxy', async () => {
    await serve({}, behindProxy);
    const reply = await served.post(start, choice, { host: 'bot.example', origin: 'https://bot.example' });
    expect(reply.headers['set-cookie']).toEqual(['__Secure-toolledger-signin-a=value-a; Max-Age=600; Path=/oauth; HttpOnly; Secure; SameSite=Lax']);
  });

  it.each([
    ['everyone', '', { who: 'everyone', roles: [] }],
    ['signer', ' ', { who: 'signer', roles: [] }],
    ['roles', '1', { who: 'roles', roles: ['1'] }],
    ['roles', ' 123, 45678901234567890123\t123 ', { who: 'roles', roles: ['123', '45678901234567890123'] }],
    ['roles', Array.from({ length: 50 }, (_, at) => String(at)).join(' '), { who: 'roles', roles: Array.from({ length: 50 }, (_, at) => String(at)) }],
  ])('takes the choice %s with the roles %j', async (who, roles, audience) => {
    await serve();
    expect(await served.post(start, { ...choice, who, roles })).toMatchObject({ status: 303 });
    expect(served.calls).toMatchObject([['begin', { audience }]]);
  });

  it.each([
    ['roles', '', 'Name at least one role id, or choose another answer.'],
    ['roles', ' , ', 'Name at least one role id, or choose another answer.'],
    ['roles', '12a', 'Allowed: role ids'],
    ['roles', '123456789012345678901', 'Allowed: role ids'],
    ['roles', Array.from({ length: 51 }, (_, at) => String(at)).join(' '), 'Allowed: role ids'],
    ['everyone', '123', 'another choice is marked'],
    ['signer', '123', 'another choice is marked'],
    ['', '', 'Nothing is chosen'],
    ['nobody', '', 'Nothing is chosen'],
  ])('asks again, with what was filled in, for the choice %j with the roles %j', async (who, roles, sentence) => {
    await serve();
    const { status, body, headers } = await served.post(start, { ...choice, who, roles });
    expect(status).toBe(400);
    expect(visible(body)).toContain('Not sent yet.');
    expect(visible(body)).toContain(sentence);
    expect(body).toContain(`name="roles" value="${roles}"`);
    expect(body.match(/ checked/g) ?? []).toHaveLength(['everyone', 'roles', 'signer'].includes(who) ? 1 : 0);
    expect(headers['content-security-policy']).toContain('https://auth.example');
    expect(served.calls.map(([operation]) => operation)).toEqual(['show']);
  });
});

describe('coming back', () => {
  const cookie = 'other=1; toolledger-signin-a=value-a; toolledger-signin-b=value-b';

  it('asks to confirm, and sends on what came without showing it', async () => {
    await serve();
    const { status, body } = await served.send(callback, { headers: { cookie } });
    expect(status).toBe(200);
    for (const part of ['files', 'g42', 'Ada', 'auth.example', 'everyone in the workspace', 'If you did not begin this, close this page.']) expect(visible(body)).toContain(part);
    for (const [name, value] of Object.entries(answer)) expect(body).toContain(`<input type="hidden" name="${name}" value="${value}">`);
    for (const secret of ['the-code', 'the-state', 'csrf-of-callback']) expect(visible(body) + title(body)).not.toContain(secret);
    expect(body.match(/<button/g)).toHaveLength(1);
    expect(served.calls).toEqual([['returned', { code: 'the-code', state: 'the-state', iss: 'https://auth.example', error: null, errorDescription: null, cookie: 'value-a' }]]);
  });

  it('finishes on the button, and says what happens next', async () => {
    await serve();
    const { status, body } = await served.post('/oauth/callback', answer, { cookie });
    expect(status).toBe(200);
    expect(visible(body)).toContain('It is done.');
    expect(visible(body)).toContain('You can close this page. toolledger mcp list');
    expect(served.calls).toEqual([['finish', { code: 'the-code', state: 'the-state', iss: 'https://auth.example', error: null, errorDescription: null, cookie: 'value-a', csrf: 'csrf-of-callback' }]]);
  });

  it('with a no shows the sentence of the operation and nothing of the server, and the button ends the sign-in', async () => {
    await serve();
    const back = await served.send('/oauth/callback?state=s&error=access_denied&error_description=The+owner%0D%0Asaid+no');
    expect(visible(back.body)).toContain('auth.example said no.');
    expect(visible(back.body) + title(back.body)).not.toMatch(/access_denied|owner/);
    expect(back.body).toContain('Press the button to tell whoever waits for this sign-in, so that they can begin again at once. Without it they wait until it ends by itself');
    expect(back.body).toContain('<button>End this sign-in</button>');
    expect(back.body).toContain('name="error_description" value="The owner said no"');
    const ended = await served.post('/oauth/callback', { csrf: 'c', state: 's', error: 'access_denied', error_description: 'The owner said no' });
    expect(visible(ended.body)).toContain('It was ended.');
    expect(visible(ended.body)).not.toContain('toolledger mcp list');
    expect(served.calls).toMatchObject([
      ['returned', { code: null, error: 'access_denied', errorDescription: 'The owner said no' }],
      ['finish', { code: null, error: 'access_denied', errorDescription: 'The owner said no', csrf: 'c' }],
    ]);
  });

  it('passes over parameters that are not ours, and takes an empty one for none', async () => {
    await serve();
    expect(await served.send(`${callback}&session_state=x.y&scope=a+b&error=&error_description=`)).toMatchObject({ status: 200 });
    expect(served.calls).toMatchObject([['returned', { error: null, errorDescription: null }]]);
  });

  it('finds the cookie of an https sign-in only under the name that https alone can set', async () => {
    await serve({}, behindProxy);
    const host = 'bot.example';
    await served.send(callback, { headers: { host, cookie: 'toolledger-signin-a=planted; __Secure-toolledger-signin-a=ours' } });
    await served.send(callback, { headers: { host, cookie: 'toolledger-signin-a=planted' } });
    expect(served.calls).toMatchObject([['returned', { cookie: 'ours' }], ['returned', { cookie: null }]]);
  });
});

describe('every answer', () => {
  const fault = async (): Promise<never> => Promise.reject(new Fault('failed', 'sign_in_expired', 'It ended.'));
  const mistake = async (): Promise<never> => Promise.reject(new Error('inside'));
  const oauth = [
    ['GET', start, 200],
    ['HEAD', start, 200],
    ['POST', start, 303],
    ['PUT', start, 405],
    ['GET', callback, 200],
    ['GET', '/oauth/callback', 400],
    ['POST', '/oauth/callback', 410],
    ['DELETE', '/oauth/callback', 405],
    ['OPTIONS', '/oauth/callback', 405],
    ['GET', '/oauth/client-metadata.json', 200],
    ['POST', '/oauth/client-metadata.json', 405],
    ['GET', '/oauth', 404],
    ['GET', '/oauth/', 404],
    ['GET', '/oauth/start', 404],
    ['GET', '/oauth/start/link/more', 404],
    ['POST', '/oauth/elsewhere', 404],
    ['GET', '/oauth/start/%zz', 400],
    ['GET', '/oauth/start/broken', 500],
  ] as const;

  it.each([true, false].flatMap((alone) => oauth.map((line) => [...line, alone] as const)))('%s %s is %i and has the strict headers (on a port of its own: %s)', async (method, path, status, alone) => {
    await serve({ show: async (link) => (link === 'broken' ? mistake() : offered), finish: fault }, { alone, clientMetadata: () => ({}) });
    const form = path === start ? choice : answer;
    const reply = method === 'POST' ? await served.post(path, form) : await served.send(path, { method });
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()') as unknown,
    });
    const policy = reply.headers['content-security-policy'];
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; form-action 'self'[^;]*; frame-ancestors 'none'; base-uri 'none'$/);
    const startPage = path === start && status === 200;
    expect(policy?.includes('https:')).toBe(startPage);
    if (status === 405) expect(reply.headers.allow).toMatch(/^GET, HEAD/);
    if (method === 'HEAD') expect(reply.body).toBe('');
  });

  it('allows exactly its own stylesheet', async () => {
    await serve();
    const { body, headers } = await served.send(start);
    const styles = [...body.matchAll(/<style>([^]*?)<\/style>/g)].map(([, style = '']) => createHash('sha256').update(style).digest('base64'));
    expect(styles).toHaveLength(1);
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${styles[0]}'`);
  });

  it.each([
    ['https://auth.example:8443', "form-action 'self' https://auth.example:8443 https:"],
    ['http://127.0.0.1:9000', "form-action 'self' http://127.0.0.1:9000 https:"],
    ['http://[::1]:9000', "form-action 'self' http: https:"],
  ])('lets the form of the start page lead to %s and from there to any https page', async (formTarget, action) => {
    await serve({ show: async () => ({ ...offered, formTarget }) });
    expect((await served.send(start)).headers['content-security-policy']).toContain(`; ${action}; `);
  });

  it.each([start, callback, '/oauth/client-metadata.json', '/oauth/nothing'])('to HEAD %s is that to GET without the body', async (path) => {
    await serve({}, { clientMetadata: () => ({ client_id: 'x' }) });
    const [get, head] = [await served.send(path), await served.send(path, { method: 'HEAD' })];
    const ofConnection = ['content-length', 'transfer-encoding', 'date'];
    const same = (headers: typeof get.headers): unknown => Object.entries(headers).filter(([name]) => !ofConnection.includes(name));
    expect(head.body).toBe('');
    expect([head.status, same(head.headers)]).toEqual([get.status, same(get.headers)]);
  });

  it('to a request that failed inside tells nothing of it, and reports it', async () => {
    await serve({ show: mistake });
    const reply = await served.send(start);
    expect(reply.status).toBe(500);
    expect(reply.body).not.toContain('inside');
    expect(served.internal).toEqual([new Error('inside')]);
  });
});

describe('a message', () => {
  const fault = (message: string, details = {}) => async (): Promise<never> => Promise.reject(new Fault('failed', 'token_refused', message, details));

  it('shows as code what it has between backticks, and the words of others as they came', async () => {
    const message = 'Run `toolledger mcp <sign-in>` & wait. It says: \u201c`rm -rf` <b>\u201d Then `this`';
    const shown = 'Run <code>toolledger mcp &lt;sign-in&gt;</code> &amp; wait. It says: \u201c`rm -rf` &lt;b&gt;\u201d Then <code>this</code></p>';
    await serve({ show: fault(message), returned: async () => ({ ...returned, refused: message }), finish: async () => ({ server: 'files', workspace: 'g42', signedIn: true, usable: true, sentence: message }) });
    for (const { body } of [await served.send(start), await served.send(callback), await served.post('/oauth/callback', answer)]) expect(body).toContain(shown);
  });

  it.each(['a ` alone', 'two `` in a row', 'quotes that \u201cdo not `end`'])('%j has no code in it', async (message) => {
    await serve({ show: fault(message) });
    expect((await served.send(start)).body).toContain(`<p class="stop">${message}</p>`);
  });

  it('names the server where it is known', async () => {
    await serve({ show: fault('No.', { server: '<files>' }), returned: fault('No.') });
    expect((await served.send(start)).body).toContain('<dt>MCP server</dt><dd><bdi>&lt;files&gt;</bdi></dd>');
    expect((await served.send(callback)).body).not.toContain('MCP server');
  });

  it('names commands that can be typed as they stand, where its server and workspace are known', async () => {
    const finish = async (): Promise<never> => Promise.reject(new Fault('failed', 'signed_in_unseen', 'No.', { server: 'files', workspace: 'g42' }));
    await serve({ finish });
    expect((await served.post('/oauth/callback', answer)).body).toContain('<code>toolledger mcp refresh files --workspace g42</code> looks again');
  });
});

describe('a fault of an operation', () => {
  it.each([
    ['failed', 'sign_in_unknown', 404],
    ['failed', 'sign_in_expired', 410],
    ['failed', 'sign_in_used', 409],
    ['failed', 'signed_in_already', 200],
    ['failed', 'sign_in_other_browser', 403],
    ['failed', 'sign_in_forged', 403],
    ['failed', 'issuer_missing', 403],
    ['failed', 'issuer_wrong', 403],
    ['failed', 'authorization_refused', 403],
    ['failed', 'token_lost', 424],
    ['failed', 'authorization_server_unreachable', 424],
    ['usage', 'something_wrong', 400],
  ] as const)('%s %s is %i with its sentence', async (kind, code, status) => {
    const throws = async (): Promise<never> => Promise.reject(new Fault(kind, code, 'What is wrong & why.'));
    await serve({ show: throws, begin: throws, returned: throws, finish: throws });
    for (const reply of [await served.send(start), await served.post(start, choice), await served.send(callback), await served.post('/oauth/callback', answer)]) {
      expect(reply.status).toBe(status);
      expect(reply.body).toContain('What is wrong &amp; why.');
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    expect(served.internal).toEqual([]);
  });

  it.each([
    ['failed', 'keys_not_written'],
    ['damaged', 'ledger_damaged'],
    ['failed', 'constructor'],
  ] as const)('%s %s is 503: its sentence is for whoever runs the program, in the log', async (kind, code) => {
    const fault = new Fault(kind, code, '/srv/data/keys.db could not be written.');
    const throws = async (): Promise<never> => Promise.reject(fault);
    await serve({ show: throws, begin: throws, returned: throws, finish: throws });
    for (const reply of [await served.send(start), await served.post(start, choice), await served.send(callback), await served.post('/oauth/callback', answer)]) {
      expect(reply.status).toBe(503);
      expect(reply.body).toContain('could not read or store');
      expect(reply.body).not.toContain('keys.db');
    }
    expect(served.internal).toEqual([fault, fault, fault, fault]);
  });
});

describe('a sign-in that is not said to have failed, because it has not', () => {
  it.each([
    ['signed_in_unseen', 200, 'You are signed in, and that is on record.'],
    ['sign_in_unrecorded', 202, 'It does so by itself, and you need not sign in again'],
  ] as const)('%s is %i in words of ours, and what is in the way is in the log', async (code, status, said) => {
    const fault = new Fault('failed', code, 'The ledger cannot be written (disk_full: /srv/data).', { server: 'files' }, { cause: new Error('disk full') });
    await serve({ finish: async () => Promise.reject(fault) });
    const reply = await served.post('/oauth/callback', answer);
    expect([reply.status, visible(reply.body)]).toEqual([status, expect.stringContaining(said)]);
    expect(visible(reply.body)).toContain('MCP serverfiles');
    expect(reply.body).not.toContain('/srv/data');
    expect(served.internal).toEqual([fault]);
  });
});

describe('the client metadata document', () => {
  it('is JSON', async () => {
    await serve({}, { ...behindProxy, clientMetadata: () => ({ client_id: 'https://bot.example/oauth/client-metadata.json' }) });
    expect(await served.send('/oauth/client-metadata.json', { headers: { host: 'bot.example' } })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"client_id":"https://bot.example/oauth/client-metadata.json"}',
    });
  });

  it('is not there without a public URL', async () => {
    await serve();
    expect(await served.send('/oauth/client-metadata.json')).toMatchObject({ status: 404 });
  });
});
