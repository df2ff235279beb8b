import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startChromium } from '../support/oauth/browser/chromium.js';
import { loginElsewhere, sendBack } from '../support/oauth/servers/loginElsewhere.js';
import { signInStage } from '../support/oauth/signInStage.js';

(startChromium === null ? describe.skip : describe)('a sign-in in Chromium', () => {
  const stage = signInStage();
  let chromium: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What the browser complained of at our pages: a policy that did not let something through, above all. */
  let complaints: string[];

  beforeAll(async () => {
    if (startChromium !== null) chromium = await startChromium();
  });
  afterAll(() => chromium.close());
  beforeEach(async () => {
    stage.newlyRecorded();
    context = await chromium.newContext({ ignoreHTTPSErrors: true });
    page = await context.newPage();
    complaints = [];
    page.on('console', (message) => {
      // The authorization server has no icon.
      if (!message.location().url.startsWith(stage.authorization.issuer)) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterEach(async () => {
    stage.authorization.intercept('authorization', null);
    await context.close();
  });

  const heading = async (): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();

  it('goes from the link to the last page, as an admin clicks through it', async () => {
    const { link, ended } = await stage.begin();
    await page.goto(link);
    expect(await heading()).toBe('Sign in at club');
    await page.getByRole('radio', { name: /Only me/ }).check();
    await page.getByRole('button', { name: /^Continue to / }).click();
    expect(new URL(page.url()).origin).toBe(stage.authorization.issuer);
    const [cookie, ...others] = (await context.cookies()).filter(({ name }) => name.startsWith('toolledger'));
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ name: expect.stringMatching(/^toolledger-signin-/) as unknown, httpOnly: true, sameSite: 'Lax', secure: false, path: '/oauth', domain: '127.0.0.1' });
    expect(await page.evaluate('document.cookie')).not.toContain('toolledger');
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(await heading()).toBe('Confirm the sign-in at club');
    expect(await page.getByText('only the operator of this machine').count()).toBe(1);
    await page.getByRole('button', { name: 'Confirm and finish' }).click();
    expect(await heading()).toBe('Signed in at club');
    expect(await page.getByText('it offers 2 tools').count()).toBe(1);
    // Nothing of a page was refused, its stylesheet above all.
    expect(await page.evaluate('getComputedStyle(document.querySelector("main")).maxWidth')).toBe('640px');
    expect(complaints).toEqual([]);
    expect(await ended).toMatchObject({ code: 0, document: { status: 'signed_in', found: { tools: [{ name: 'whoami' }, { name: 'admin' }] } } });
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInCompleted']);
  });

  it('bears double clicks and the back button', async () => {
    const { link, ended } = await stage.begin();
    const asked = stage.authorization.requests('token').length;
    await page.goto(link);
    await page.getByRole('button').dblclick();
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await page.goBack();
    expect(await heading()).toBe('Sign in at club');
    await page.getByRole('button').click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('button', { name: 'Confirm and finish' }).dblclick();
    await page.getByText('it offers 2 tools').waitFor();
    expect(await heading()).toBe('Signed in at club');
    expect(stage.authorization.requests('token')).toHaveLength(asked + 1);
    expect(await ended).toMatchObject({ code: 0 });
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInCompleted']);
  });

  describe('at an authorization server with its login at another host', () => {
    const directory = mkdtempSync(join(tmpdir(), 'tl-tls-'));
    let login: Server;

    beforeAll(async () => {
      const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost', '-days', '2', '-keyout', key, '-out', cert], { stdio: 'ignore' });
      login = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => sendBack(request.url, response)).listen(0, '127.0.0.1');
      await once(login, 'listening');
    });
    afterAll(async () => {
      login.closeAllConnections();
      login.close();
      await once(login, 'close');
      rmSync(directory, { recursive: true });
    });

    it('is not stopped by our form-action', async () => {
      const loginUrl = `https://localhost:${(login.address() as AddressInfo).port}/login`;
      stage.authorization.intercept('authorization', loginElsewhere(loginUrl, stage.authorization.issuer));
      const { link, ended } = await stage.begin();
      await page.goto(link);
      await page.getByRole('button').click();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('button', { name: 'Confirm and finish' }).click();
      expect(await heading()).toBe('Signed in at club');
      expect(complaints).toEqual([]);
      expect(await ended).toMatchObject({ code: 0 });
    });
  });
});
