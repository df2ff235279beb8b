import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../support/oauth/freePort.js';
import { newScriptedBrowser } from '../../support/oauth/browser/scriptedBrowser.js';
import { upToConfirming } from '../../support/oauth/signInFrom.js';
import { signInStage } from '../../support/oauth/signInStage.js';

const port = await freePort();
const here = `http://127.0.0.1:${port}`;
const publicUrl = 'https://bot.example';
const stage = signInStage({ env: { TOOLLEDGER_PUBLIC_URL: publicUrl, TOOLLEDGER_OAUTH_PORT: String(port) } });
/** As a browser somewhere else, with a proxy in front that ends TLS. */
const distantBrowser = () => newScriptedBrowser({ [publicUrl]: here });

beforeAll(() => stage.authorization.set({ documentHosts: { [publicUrl]: here } }));

/** Asks for a path under another name than the address. */
async function get(path: string, host: string): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    request(here + path, { headers: { host } }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    })
      .on('error', reject)
      .end();
  });
}

describe('sign-ins under a public URL, on a port of their own', () => {
  it('describe us to authorization servers', async () => {
    const { status, body } = await get('/oauth/client-metadata.json', 'bot.example');
    expect([status, JSON.parse(body)]).toMatchObject([
      200,
      { client_id: `${publicUrl}/oauth/client-metadata.json`, redirect_uris: [`${publicUrl}/oauth/callback`], application_type: 'web', token_endpoint_auth_method: 'none' },
    ]);
  });

  it('go through with a Secure cookie, and without a registration', async () => {
    const { link, ended } = await stage.begin();
    expect(link).toMatch(/^https:\/\/bot\.example\/oauth\/start\//);
    const browser = distantBrowser();
    const { page } = await upToConfirming(link, { browser });
    expect(new URL(page.url).origin).toBe(publicUrl);
    expect(browser.requests.at(-1)?.headers['cookie']).toMatch(/^__Secure-toolledger-signin-/);
    expect(await browser.submit(page)).toMatchObject({ status: 200 });
    expect(await ended).toMatchObject({ code: 0, document: { status: 'signed_in' } });
    expect(stage.authorization.requests('registration')).toEqual([]);
    const asked = stage.authorization.requests('authorization').at(-1)?.parameters;
    expect([asked?.get('client_id'), asked?.get('redirect_uri')]).toEqual([`${publicUrl}/oauth/client-metadata.json`, `${publicUrl}/oauth/callback`]);
    expect(await stage.run.json('call', 'whoami')).toMatchObject({ document: { status: 'succeeded' } });
  });

  it('are gone through with a client that is registered where somebody wishes for that', async () => {
    const { stop, ended } = await stage.begin('--register');
    expect(stage.authorization.requests('registration')).toHaveLength(1);
    stop();
    expect(await ended).toMatchObject({ stderr: expect.stringContaining('toolledger is registered at the authorization server.') });
  });

  it('answer under no other name, and nothing else is on their port', async () => {
    const { link, stop, ended } = await stage.begin();
    const { pathname } = new URL(link);
    expect(await get(pathname, 'bot.example')).toMatchObject({ status: 200 });
    for (const host of ['evil.example', 'bot.example.evil.example', 'bot.example:81']) expect(await get(pathname, host)).toMatchObject({ status: 403 });
    for (const path of ['/mcp', '/health', '/']) expect(await get(path, `127.0.0.1:${port}`)).toMatchObject({ status: 404 });
    stop();
    await ended;
  });

  it('take no answer that comes back in plain http: the cookie is not sent there', async () => {
    const { link, stop, ended } = await stage.begin();
    const browser = distantBrowser();
    const { page } = await upToConfirming(link, { browser });
    expect(await browser.open(page.url.replace(publicUrl, here))).toMatchObject({ status: 403 });
    stop();
    await ended;
  });
});
