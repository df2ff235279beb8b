import { describe, expect, it } from '@jest/globals';
import { signInStage } from '../../support/oauth/signInStage.js';
import { inThisProcess } from '../../support/cli/inProcess.js';
import { signInAt, upToConfirming } from '../../support/oauth/signInFrom.js';

describe('an admin signs in to a server that was added without a token', () => {
  const stage = signInStage();

  it('whose tools nobody has seen yet, which is explained', async () => {
    expect((await stage.run.json('tools', 'list', '--explain')).document).toMatchObject({ undiscovered: [{ server: 'club', text: expect.stringMatching(/wants a sign-in or a token.+toolledger mcp sign-in club/) }] });
    expect((await stage.run('tools', 'list', '--explain')).stdout.replace(/\s+/g, ' ')).toContain('The tools of server club are not known yet: It wants a sign-in');
    expect((await stage.run.json('tools', 'list')).document).toMatchObject({ undiscovered: [] });
  });

  it('which waits for that also after it was disabled and enabled, and so it is told everywhere', async () => {
    await stage.run('mcp', 'disable', 'club');
    expect((await stage.run('mcp', 'enable', 'club')).stdout).toMatch(/^Server club is enabled, and parked\. It wants a sign-in or a token, and has none\. Sign in with `toolledger mcp sign-in club`/);
    expect((await stage.run.json('mcp', 'list')).document).toMatchObject({ servers: [{ state: 'parked', standing: expect.stringContaining('Sign in with `toolledger mcp sign-in club`') }] });
    expect((await stage.run.json('tools', 'list', '--explain')).document).toMatchObject({ undiscovered: [{ server: 'club', text: expect.stringContaining('Sign in with `toolledger mcp sign-in club`') }] });
    expect((await stage.run('mcp', 'history', 'club')).stdout).toMatch(/ {2}Enabled\..*\n.* {2}Parked \(needs_sign_in\)\./);
  });

  it('in the browser: our page, the authorization server\u2019s, and ours again', async () => {
    const { link, ended } = await stage.begin();
    const { browser, page } = await upToConfirming(link);
    expect(page.html).toContain('club');
    const last = await browser.submit(page);
    expect(last.html).toContain('Signed in to club; it offers 2 tools.');
    expect(await ended).toMatchObject({ code: 0, document: { status: 'signed_in', found: { tools: [{ name: 'whoami' }, { name: 'admin' }] } } });
  });

  it('and a program that began it is told the link, then what came of it, on a line each', async () => {
    let link: (found: string) => void = () => undefined;
    const told = new Promise<string>((resolve) => (link = resolve));
    const onPrinted = (stdout: string): void => link((JSON.parse(stdout.split('\n')[0] ?? '') as { link: string }).link);
    const ended = inThisProcess(stage.data, ['mcp', 'sign-in', 'club', '--json'], { onPrinted });
    await signInAt(await told);
    const { stdout } = await ended;
    const lines = stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as { status: string });
    expect(lines).toEqual([
      {
        status: 'waiting', link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/start\//), expiresAt: expect.stringMatching(/^\d{4}-.+Z$/), host: new URL(stage.authorization.issuer).host, hostBefore: null,
        scopes: ['tools', 'offline_access'], client: { source: 'registered', id: expect.any(String) }, disabled: false, redirectUri: expect.stringMatching(/\/oauth\/callback$/),
      },
      expect.objectContaining({ status: 'signed_in' }),
    ]);
  });

  it('and its tools work', async () => {
    expect(await stage.run.json('call', 'whoami')).toMatchObject({ code: 0, document: { status: 'succeeded' } });
  });

  it('and each call of them says whose account it was made with', async () => {
    const { document } = await stage.run.json('call', 'whoami');
    const { callId } = document as unknown as { readonly callId: string };
    const { stdout } = await stage.run('audit', 'show', callId);
    expect(stdout).toMatch(new RegExp(`^  account: of the operator of this machine, signed in at ${stage.authorization.issuer} since `, 'm'));
  });
});
