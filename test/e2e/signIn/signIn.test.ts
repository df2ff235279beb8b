import { describe, expect, it } from '@jest/globals';
import { signInStage } from '../../support/oauth/signInStage.js';
import { upToConfirming } from '../../support/oauth/signInFrom.js';

describe('an admin signs in to a server that was added without a token', () => {
  const stage = signInStage();

  it('in the browser: our page, the authorization server\u2019s, and ours again', async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link);
    expect(page.html).toContain('club');
    const last = await browser.submit(page);
    expect(last.html).toContain('Signed in to club; it offers 2 tools.');
    expect(await ended).toMatchObject({ code: 0, document: { status: 'signed_in', found: { tools: [{ name: 'whoami' }, { name: 'admin' }] } } });
  });

  it('and its tools work', async () => {
    expect(await stage.run.json('call', 'whoami')).toMatchObject({ code: 0, document: { status: 'succeeded' } });
  });
});
