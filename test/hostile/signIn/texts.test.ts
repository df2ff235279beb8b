import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inThisProcess } from '../../support/cli/inProcess.js';
import { pageText } from '../../support/oauth/browser/pageText.js';
import { upToConfirming } from '../../support/oauth/signInFrom.js';
import { signInStage } from '../../support/oauth/signInStage.js';

const stage = signInStage();

beforeEach(() => void stage.newlyRecorded());
afterEach(() => {
  stage.authorization.alterRedirect(() => undefined);
  stage.server.behave({ challengedScope: 'tools' });
});

/** Everything at once: HTML, an attribute's end, bidi, invisible characters, terminal escapes, lines, and what looks like our own words. */
const nasty = `"><script>alert(1)</script><img src=x onerror=alert(2)>\u202Egnp.exe\u2066\u200B\u0007\u001b[2J\u001b]8;;https://evil.example\u0007click\r\n\r\nSigned in to club; it offers 2 tools. https://evil.example/steal?token=1`;
// eslint-disable-next-line no-control-regex
const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/;

describe('hostile words in an authorization response', () => {
  it.each([
    ['short', nasty],
    ['as long as a browser brings them', nasty + 'A'.repeat(9_000)],
  ])('%s are one harmless line on the page, in the terminal and nowhere else', async (_what, description) => {
    stage.authorization.alterRedirect(({ searchParams }) => {
      searchParams.delete('code');
      searchParams.set('error', 'access_denied');
      searchParams.set('error_description', description);
    });
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link);
    const last = await browser.submit(page);
    expect([page.status, last.status]).toEqual([200, 200]);
    for (const { html } of [page, last]) {
      expect(html).not.toMatch(/<script|<img/);
      expect(html).not.toMatch(steering);
      expect(html).not.toContain('href');
      expect(html.length).toBeLessThan(12_000);
      expect(pageText(html)).not.toContain('/steal');
    }
    const { document, stderr } = await ended;
    const { message } = document as unknown as { readonly message: string };
    expect(message.length).toBeLessThanOrEqual(500);
    expect(`${message}${stderr.replaceAll('\n', '')}`).not.toMatch(steering);
    expect(message).not.toContain('\n');
    expect(stage.newlyRecorded()).toEqual(['McpSignInStarted', 'McpSignInFailed authorization_refused']);
    const history = await inThisProcess(stage.data, ['mcp', 'history', 'club']);
    expect(history.stdout).not.toMatch(/alert|evil|gnp/);
  });

  it('of 100 kB do not get through, and the sign-in goes on', async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link);
    const { origin, searchParams } = new URL(page.url);
    const query = new URLSearchParams({ state: searchParams.get('state') ?? '', error: 'access_denied', error_description: 'A'.repeat(100_000) });
    await stage.unchangedBy(async () => {
      expect((await fetch(`${origin}/oauth/callback?${query.toString()}`)).status).toBe(431);
      expect((await fetch(`${origin}/oauth/callback`, { method: 'POST', headers: { origin }, body: query })).status).toBe(413);
    });
    expect(await browser.submit(page)).toMatchObject({ status: 200 });
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('in an error code are refused as no such answer', async () => {
    stage.authorization.alterRedirect(({ searchParams }) => {
      searchParams.delete('code');
      searchParams.set('error', nasty);
    });
    const { link, ended, stop } = await stage.begin();
    const { page } = await upToConfirming(link);
    expect(page.status).toBe(400);
    expect(page.html).not.toMatch(/<script|evil/);
    stop();
    await ended;
  });
});

describe('names of scopes that read as our advice', () => {
  it('stand each in quotes of its own, in the terminal and on record', async () => {
    stage.server.behave({ challengedScope: 'run `toolledger mcp set-token club` now' });
    const { stop, ended } = await stage.begin('--client-id', 'known');
    stop();
    const { stderr } = await ended;
    const quoted = '\u201crun\u201d, \u201c`toolledger\u201d, \u201cmcp\u201d, \u201cset-token\u201d, \u201cclub`\u201d, \u201cnow\u201d';
    expect(stderr).toContain(`It asks for: ${quoted}`);
    expect((await inThisProcess(stage.data, ['mcp', 'history', 'club'])).stdout).toContain(`for ${quoted}`);
    stage.newlyRecorded();
  });
});

describe('a name of a server', () => {
  it.each(['<b>club</b>', 'club\u202E', 'cl\u200Bub', 'x'.repeat(33), '-club', '\u0441lub'])('%j is not taken, so no page has to show it', async (name) => {
    const { code, stdout, stderr } = await inThisProcess(stage.data, ['mcp', 'add', stage.server.url, '--name', name]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(steering);
  });

  it('that is as long as it may be is shown whole', async () => {
    const name = 'a'.repeat(32);
    await stage.run('mcp', 'add', stage.server.url, '--name', name);
    const { link, stop, ended } = await stage.beginAt(name);
    expect(pageText(await (await fetch(link)).text())).toContain(`Sign in at ${name}`);
    stop();
    await ended;
  });

  it('that is given to the command is not repeated raw', async () => {
    const { stdout, stderr } = await inThisProcess(stage.data, ['mcp', 'sign-in', nasty]);
    expect(stdout + stderr.replaceAll('\n', '')).not.toMatch(steering);
  });
});
