import { describe, expect, it } from '@jest/globals';
import { signInStage } from '../../support/oauth/signInStage.js';
import { upToConfirming } from '../../support/oauth/signInFrom.js';

describe('an admin signs in to a server that was added without a token', () => {
  const stage = signInStage();

  it('whose tools nobody has seen yet, which is explained', async () => {
    expect((await stage.run.json('tools', 'list', '--explain')).document).toMatchObject({ undiscovered: [{ server: 'club', text: expect.stringMatching(/wants a sign-in or a token.+toolledger mcp sign-in club/) }] });
    expect((await stage.run('tools', 'list', '--explain')).stdout.replace(/\s+/g, ' ')).toContain('The tools of server club are not known yet: It wants a sign-in');
    expect((await stage.run.json('tools', 'list')).document).toMatchObject({ undiscovered: [] });
  });

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

  it('and each call of them says whose account it was made with', async () => {
    const { document } = await stage.run.json('call', 'whoami');
    const { callId } = document as unknown as { readonly callId: string };
    const { stdout } = await stage.run('audit', 'show', callId);
    expect(stdout).toMatch(new RegExp(`^  account: of \\S+, signed in at ${stage.authorization.issuer} since `, 'm'));
  });
});
