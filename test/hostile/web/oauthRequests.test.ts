import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { request } from 'node:http';
import { loggable } from '../../../src/platform/loggable.js';
import { offered, returned, serveSignIn, type Reply, type ServedSignIn } from '../../support/web/servedSignIn.js';

let served: ServedSignIn;
beforeEach(async () => {
  served = await serveSignIn({}, { publicOrigin: 'https://bot.example' });
});
afterEach(() => served.close());

const start = '/oauth/start/link-1';
const query = 'code=the-code&state=the-state';
const callback = `/oauth/callback?${query}`;
const choice = { csrf: offered.csrf, page: offered.page, who: 'everyone', roles: '' };
const answer = { csrf: returned.csrf, code: 'the-code', state: 'the-state' };

/** The operations that were called. */
const called = (): readonly string[] => served.calls.map(([operation]) => operation);

/** It was refused with a page and the strict headers, and no operation knows of it. */
function expectRefused(reply: Reply, status: number): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toMatch(/^<!doctype html>/);
  expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'content-security-policy': expect.stringContaining("default-src 'none'") as unknown });
  expect(served.calls).toEqual([]);
  expect(served.internal).toEqual([]);
}

/** The page that a form lies on is served: it was only the request that was wrong. */
async function stillServes(): Promise<void> {
  expect(await served.post(start, choice)).toMatchObject({ status: 303 });
}

describe('a host', () => {
  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost.', '0.0.0.0', '[::]', 'bot.example.evil.example', 'xbot.example', 'bot.example:8443', 'bot.example.'])(
    '%j that is not ours is refused before anything else',
    async (host) => {
      expectRefused(await served.send(start, { headers: { host } }), 403);
      expectRefused(await served.send('/oauth/nothing', { headers: { host } }), 403);
      expectRefused(await served.send(callback, { method: 'PUT', headers: { host } }), 403);
      expectRefused(await served.post(start, choice, { host, origin: `http://${host}` }), 403);
      expectRefused(await served.post(start, 'x'.repeat(20_000), { host, 'content-type': 'text/plain' }), 403);
    },
  );

  it('that is not ours is refused before the size of the body', async () => {
    expectRefused(await declaring(5_000_000, 'evil.example'), 403);
  });

  it.each(['127.0.0.1:x', 'localhost:99999', 'localhost:1:2', 'bot.example@evil.example', 'bot.example/evil.example', 'bot.example, evil.example'])('%j that is none is refused', async (host) => {
    expect([400, 403]).toContain((await served.send(start, { headers: { host } })).status);
    expect(served.calls).toEqual([]);
  });

  it('that is missing or there twice is refused', async () => {
    expect(await served.raw(`GET ${start} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 (400|403) /);
    expect(await served.raw(`GET ${start} HTTP/1.1\r\nHost: evil.example\r\nHost: bot.example\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 (400|403) /);
    expect(await served.raw(`GET ${start} HTTP/1.1\r\nHost: bot.example\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 (400|403) /);
    expect(served.calls).toEqual([]);
  });

  it('is not what a proxy adds', async () => {
    for (const headers of [{ 'x-forwarded-host': 'bot.example' }, { forwarded: 'host=bot.example' }]) expectRefused(await served.send(start, { headers: { host: 'evil.example', ...headers } }), 403);
  });

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST:9', '[::1]:65535', 'bot.example', 'BOT.example', 'bot.example:443'])('%j is ours', async (host) => {
    expect(await served.send(start, { headers: { host } })).toMatchObject({ status: 200 });
  });

  it('that is the public one is none without a public URL', async () => {
    await served.close();
    served = await serveSignIn();
    expectRefused(await served.send(start, { headers: { host: 'bot.example' } }), 403);
  });
});

describe('an origin', () => {
  it.each<[string, string | null]>([
    ['bot.example', null],
    ['bot.example', 'null'],
    ['bot.example', ''],
    ['bot.example', 'http://bot.example'],
    ['bot.example', 'https://bot.example:8443'],
    ['bot.example', 'https://bot.example/'],
    ['bot.example', 'https://evil.example'],
    ['bot.example', 'https://BOT.example'],
    ['bot.example', 'https://bot.example, https://bot.example'],
    ['bot.example', 'http://127.0.0.1:7411'],
    ['127.0.0.1:7411', null],
    ['127.0.0.1:7411', 'null'],
    ['127.0.0.1:7411', 'https://bot.example'],
    ['127.0.0.1:7411', 'http://127.0.0.1'],
    ['127.0.0.1:7411', 'http://127.0.0.1:7412'],
    ['127.0.0.1:7411', 'https://127.0.0.1:7411'],
    ['127.0.0.1:7411', 'http://localhost:7411'],
    ['localhost:7411', 'http://127.0.0.1:7411'],
    ['localhost:7411', 'http://evil.localhost:7411'],
  ])('under the host %j of %j presses no button', async (host, origin) => {
    expectRefused(await served.post(start, choice, { host, origin }), 403);
    expectRefused(await served.post('/oauth/callback', answer, { host, origin }), 403);
  });

  it.each([
    ['bot.example', 'https://bot.example'],
    ['bot.example:443', 'https://bot.example'],
    ['Bot.Example', 'https://bot.example'],
    ['127.0.0.1:7411', 'http://127.0.0.1:7411'],
    ['localhost:80', 'http://localhost'],
    ['[::1]:7411', 'http://[::1]:7411'],
  ])('under the host %j of %j is its own', async (host, origin) => {
    expect(await served.post(start, choice, { host, origin })).toMatchObject({ status: 303 });
  });

  it('is not made good by a Referer', async () => {
    expectRefused(await served.post(start, choice, { origin: null, referer: `${served.origin}${start}` }), 403);
  });
});

describe('a GET or HEAD', () => {
  it.each<[string, { readonly [name: string]: string }]>([
    ['of a prefetch', { 'sec-purpose': 'prefetch;prerender', purpose: 'prefetch' }],
    ['of a preview', { 'user-agent': 'Discordbot/2.0' }],
    ['that says it is a POST', { 'x-http-method-override': 'POST', 'x-http-method': 'POST', 'x-method-override': 'POST' }],
    ['with everything a POST has', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('%s changes nothing', async (_name, headers) => {
    const all = { origin: served.origin, cookie: 'toolledger-signin-a=value-a', ...headers };
    for (const method of ['GET', 'HEAD']) {
      for (const path of [`${start}?${new URLSearchParams(choice).toString()}&_method=POST`, `${callback}&csrf=csrf-of-callback&_method=POST`]) {
        const reply = await served.send(path, { method, headers: all });
        expect(reply.status).toBe(200);
        expect(reply.headers['set-cookie']).toBeUndefined();
      }
    }
    expect(called()).toEqual(['show', 'returned', 'show', 'returned']);
  });
});

describe('a form', () => {
  it.each([null, '', 'text/plain', 'application/json', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded; charset=utf-16', 'application/x-www-form-urlencoded, text/plain', 'application/x-www-form-urlencodedx'])(
    'of the type %j is refused',
    async (type) => {
      for (const path of [start, '/oauth/callback']) expectRefused(await served.post(path, new URLSearchParams({ ...choice, ...answer }).toString(), { 'content-type': type }), 415);
    },
  );

  it.each(['application/x-www-form-urlencoded', 'Application/X-WWW-Form-URLencoded;charset=UTF-8'])('of the type %j is taken', async (type) => {
    expect(await served.post(start, choice, { 'content-type': type })).toMatchObject({ status: 303 });
  });

  const padded = (bytes: number): string => {
    const form = `${new URLSearchParams(choice).toString()}&more=`;
    return form + 'x'.repeat(bytes - form.length);
  };

  it('of 16 KiB is taken, of one byte more refused, and of megabytes with the same page', async () => {
    expectRefused(await served.post(start, padded(16_385)), 413);
    expectRefused(await declaring(5_000_000, `127.0.0.1:${served.port}`), 413);
    expect(await served.post(start, padded(16_384))).toMatchObject({ status: 303 });
  });

  it('that does not say its size is counted', async () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(await served.post(start, padded(16_384), chunked)).toMatchObject({ status: 303 });
    const reply = await served.post(start, padded(1_000_000), chunked).catch((error: unknown) => error as NodeJS.ErrnoException);
    // The server need not read it all: the client may find the connection closed while it still sends.
    if ('status' in reply) expect(reply.status).toBe(413);
    else expect(['EPIPE', 'ECONNRESET']).toContain(reply.code);
    expect(called()).toEqual(['begin']);
    await stillServes();
  });

  it('that breaks off is used by nobody and no mistake of ours', async () => {
    await new Promise<void>((resolve) => {
      const headers = { origin: served.origin, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '100' };
      const outgoing = request({ host: '127.0.0.1', port: served.port, path: start, method: 'POST', headers });
      outgoing.on('error', () => undefined).on('close', () => resolve());
      outgoing.write(new URLSearchParams(choice).toString(), () => outgoing.destroy());
    });
    await stillServes();
    expect(called()).toEqual(['begin']);
    expect(served.internal).toEqual([]);
  });

  it.each([
    ['a field twice', 'csrf=a&page=p&who=everyone&roles=&csrf=a'],
    ['a field twice in other spellings', 'csrf=a&page=p&who=everyone&roles=&wh%6f=signer'],
    ['a field twice that is not ours', 'csrf=a&page=p&who=everyone&roles=&x=1&x=1'],
    ['no csrf', 'page=p&who=everyone&roles='],
    ['no page', 'csrf=a&who=everyone&roles='],
    ['an empty csrf', 'csrf=&page=p&who=everyone&roles='],
    ['a csrf that is too long', `csrf=${'c'.repeat(257)}&page=p&who=everyone`],
    ['a csrf of other characters', 'csrf=%3Cb%3E&page=p&who=everyone'],
    ['broken percent-encoding', 'csrf=a&page=p&who=everyone&roles=%zz'],
    ['half an escape', 'csrf=a&page=p&who=everyone&roles=%2'],
    ['bytes that are no UTF-8', 'csrf=a&page=p&who=everyone&roles=%ff%fe'],
    ['an overlong encoding', 'csrf=a&page=p&who=everyone&roles=%c0%ae'],
    ['NUL', 'csrf=a&page=p&who=everyone&roles=1%00'],
    ['NUL in a name', 'csrf=a&page=p&who=everyone&ro%00les=1'],
    ['1,000 fields', `csrf=a&page=p&who=everyone&${Array.from({ length: 1_000 }, (_, at) => `f${at}=`).join('&')}`],
    ['nothing', ''],
  ])('with %s is refused', async (_name, body) => {
    expectRefused(await served.post(start, body), 400);
    await stillServes();
  });

  it('of bytes that are no UTF-8 is refused', async () => {
    expectRefused(await served.post(start, Buffer.from([0x63, 0x3d, 0xff])), 400);
  });
});

/** A post that only says how large it is. */
function declaring(bytes: number, host: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { host, origin: served.origin, 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(bytes) };
    const outgoing = request({ host: '127.0.0.1', port: served.port, path: start, method: 'POST', headers }, (reply) => {
      let body = '';
      reply.setEncoding('utf8').on('data', (part: string) => {
        body += part;
        if (!body.includes('</html>')) return;
        resolve({ status: reply.statusCode, headers: reply.headers, body });
        outgoing.destroy();
      });
    });
    outgoing.on('error', reject).flushHeaders();
  });
}

describe('an answer', () => {
  it.each([
    ['no state', 'code=a'],
    ['an empty state', 'code=a&state='],
    ['neither code nor error', 'state=a'],
    ['both code and error', 'state=a&code=b&error=c'],
    ['state twice', 'code=a&state=b&state=b'],
    ['code twice', 'code=a&code=b&state=c'],
    ['iss twice', 'code=a&state=b&iss=c&iss=d'],
    ['code twice in other spellings', 'code=a&c%6Fde=b&state=c'],
    ['a state that is too long', `code=a&state=${'s'.repeat(257)}`],
    ['a code that is too long', `code=${'c'.repeat(4_097)}&state=a`],
    ['an iss that is too long', `code=a&state=b&iss=${'i'.repeat(1_025)}`],
    ['an error that is too long', `error=${'e'.repeat(257)}&state=a`],
    ['a state of other characters', 'code=a&state=%22%3E%3Cscript%3E'],
    ['a line break in the code', 'code=a%0D%0ASet-Cookie:x&state=a'],
    ['a code that is no ASCII', 'code=%E2%80%AE&state=a'],
    ['an iss with a space', 'code=a&state=b&iss=https%3A%2F%2Fa%20b'],
    ['a quote in the error', 'error=%22&state=a'],
    ['NUL in the description', 'error=a&error_description=%00&state=a'],
    ['broken percent-encoding', 'code=%zz&state=a'],
    ['broken percent-encoding in what is not ours', 'code=a&state=b&x=%'],
    ['bytes that are no UTF-8', 'code=a&state=b&x=%ff'],
    ['12,000 characters', `code=a&state=b&x=${'%zz'.repeat(4_000)}`],
    ['1,000 parameters', `code=a&state=b&${Array.from({ length: 1_000 }, (_, at) => `p${at}=`).join('&')}`],
  ])('with %s is refused, on GET and on POST', async (_name, fields) => {
    expectRefused(await served.send(`/oauth/callback?${fields}`), 400);
    expectRefused(await served.post('/oauth/callback', `csrf=a&${fields}`), 400);
  });

  it('at the bounds is taken', async () => {
    const largest = { csrf: 'c'.repeat(256), state: 's'.repeat(256), code: '~'.repeat(4_096), iss: `https://${'i'.repeat(1_016)}` };
    expect(await served.send(`/oauth/callback?${new URLSearchParams(largest).toString()}`)).toMatchObject({ status: 200 });
    expect(await served.post('/oauth/callback', largest)).toMatchObject({ status: 200 });
    expect(served.calls).toMatchObject([['returned', { code: largest.code, iss: largest.iss }], ['finish', { csrf: largest.csrf, code: largest.code }]]);
  });

  it('in the query of a POST is not looked at', async () => {
    expectRefused(await served.post(callback, 'csrf=a'), 400);
  });

  it('with a query of 15 KB gets a page, and with one that no server takes is refused', async () => {
    expectRefused(await served.send(`/oauth/callback?code=${'c'.repeat(15_000)}&state=a`), 400);
    expect(await served.send(`/oauth/callback?code=${'c'.repeat(100_000)}&state=a`)).toMatchObject({ status: 431 });
    await stillServes();
  });

  it('finds no cookie that came twice, has another name, or none', async () => {
    for (const cookie of ['toolledger-signin-a=1; toolledger-signin-a=2', 'toolledger-signin-a=1;toolledger-signin-a=1', 'toolledger-signin-b=1', 'xtoolledger-signin-a=1', 'toolledger-signin-a', '=;;=', '']) {
      await served.send(callback, { headers: { cookie } });
    }
    expect(served.calls.map(([, input]) => (input as { readonly cookie: unknown }).cookie)).toEqual(Array(7).fill(null));
  });
});

describe('a link', () => {
  it.each(['%zz', '%', '%00', '%ff', '%0d%0aSet-Cookie:a', '%3Cscript%3E', 'a%20b', "a'b", 'a%22b', 'l'.repeat(257), 'l'.repeat(10_000)])('%j is refused', async (link) => {
    expectRefused(await served.send(`/oauth/start/${link}`), 400);
    expectRefused(await served.post(`/oauth/start/${link}`, choice), 400);
  });

  it.each(['..%2f..%2fhealth', 'a%2fb', 'a/../../x'])('%j leads nowhere', async (link) => {
    expect([400, 404]).toContain((await served.send(`/oauth/start/${link}`)).status);
    expect(served.calls).toEqual([]);
  });
});

it('nothing of a query or a form is written anywhere, also when it goes wrong', async () => {
  await served.close();
  const broken = async (): Promise<never> => Promise.reject(new Error('a mistake'));
  served = await serveSignIn({ begin: broken, returned: broken, finish: broken });
  const written: string[] = [];
  const note = (...parts: readonly unknown[]): true => (written.push(parts.map(String).join(' ')), true);
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation(note),
    jest.spyOn(process.stderr, 'write').mockImplementation(note),
    ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((method) => jest.spyOn(console, method).mockImplementation(note)),
  ];
  try {
    await served.send(callback, { headers: { referer: 'https://auth.example/?code=the-code' } });
    await served.send(`${callback}&code=the-code`);
    await served.send(`${callback}&x=%zz`);
    await served.post('/oauth/callback', answer);
    await served.post(start, choice);
    await served.post('/oauth/callback', `${query}&csrf=%zz`);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const all = JSON.stringify([written, loggable({ errors: served.internal }, { stacks: true })]);
  expect(served.internal).toHaveLength(3);
  expect(all).not.toMatch(/the-code|the-state|csrf-of/);
});
