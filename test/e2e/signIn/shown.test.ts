import { beforeAll, describe, expect, it } from '@jest/globals';
import { openToolledger } from '../../../src/app/openToolledger.js';
import { signInLink, signInToMcpServer } from '../../../src/operations/servers/signIn/signInToMcpServer.js';
import { readConfig } from '../../../src/platform/config.js';
import { makeLog } from '../../../src/platform/log.js';
import { newScriptedBrowser } from '../../support/oauth/browser/scriptedBrowser.js';
import { signInAt } from '../../support/oauth/signInFrom.js';
import { signInStage } from '../../support/oauth/signInStage.js';

const stage = signInStage();
const who = '223456789012345678';

/** A person whom a door names signs in, for themselves alone. */
async function personSignsIn(person: string): Promise<unknown> {
  const config = readConfig({ TOOLLEDGER_DATA: stage.data });
  const toolledger = openToolledger(config, makeLog({ level: 'silent', destination: process.stderr }))({ dataDir: stage.data, command: 'test', notice: () => undefined, misconfigured: false });
  let told: (link: string) => void = () => undefined;
  const link = new Promise<string>((resolve) => (told = resolve));
  const ended = toolledger.invoke(signInToMcpServer, { name: 'club', workspace: 'local' }, { onBehalfOf: person, onProgress: (progress) => told(signInLink.parse(progress).link) });
  await signInAt(await link, { audience: { who: 'signer' } });
  return ended;
}

const listed = async () => ((await stage.run.json('mcp', 'list')).document as unknown as { servers: { account: { signer: string } | null; state: string; audience: { person: string | null } }[] }).servers[0];

describe('an account for one person', () => {
  beforeAll(async () => {
    await stage.run('call', 'roll_dice', '{"notation":"1d6"}', '--user', who);
    expect(await personSignsIn(who)).toMatchObject({ status: 'signed_in', found: { tools: [{ name: 'whoami' }, { name: 'admin' }] } });
  });

  it('is shown with who signed in, where, since when, for what, and for whom the tools are', async () => {
    const server = await listed();
    expect(server).toMatchObject({
      state: 'enabled',
      credential: 'oauth',
      account: { signer: server?.audience.person, issuer: stage.authorization.issuer, scopes: ['tools'], renewable: true, lapsed: null, since: expect.stringMatching(/^\d{4}-/) },
    });
    const { stdout } = await stage.run('mcp', 'list');
    expect(stdout).toContain(`club: signed in at ${stage.authorization.issuer} by person ${server?.audience.person} since `);
    expect(stdout).toContain(`club: only for person ${server?.audience.person}`);
    expect(stdout).not.toContain(who);
  });

  it('works for that person and for nobody else', async () => {
    expect(await stage.run.json('call', 'whoami', '--user', who)).toMatchObject({ code: 0, document: { status: 'succeeded' } });
    for (const other of [[], ['--user', '323456789012345678']]) {
      expect(await stage.run.json('call', 'whoami', ...other)).toMatchObject({ code: 1, document: { status: 'refused', error: { reasons: ['not_in_audience'] } } });
    }
  });

  it('is told of in the history of its server, among everything else', async () => {
    const { stdout } = await stage.run('mcp', 'history', 'club');
    const life = stdout.split('\n').filter((line) => /^\d{4}-/.test(line)).map((line) => line.slice(21));
    expect(life).toEqual([
      expect.stringContaining('Registered as club'),
      expect.stringContaining('Parked (needs_sign_in)'),
      expect.stringContaining('was begun, as the client that toolledger registered there, for “tools”, “offline_access”.'),
      expect.stringMatching(/^Signed in at .+ by person \S+, for “tools”; its tools are for that person alone\. \(by the operator of this machine through cli, on behalf of person \S+\)$/),
      expect.stringContaining('It is used with the account that was signed in.'),
      expect.stringContaining('No longer parked.'),
      expect.stringMatching(/^Made for person \S+ only, everywhere\./),
      expect.stringContaining('Tools discovered: whoami, admin.'),
      expect.stringContaining('Definitions accepted'),
    ]);
  });

  it('stays that person\u2019s when channels are named or taken back', async () => {
    const person = (await listed())?.audience.person;
    expect((await stage.run.json('mcp', 'audience', 'club', '--channel', '21')).document).toMatchObject({ changed: true, audience: { roles: null, channels: ['21'], person } });
    expect((await stage.run.json('mcp', 'audience', 'club', '--everywhere')).document).toMatchObject({ changed: true, audience: { roles: null, channels: null, person } });
  });

  it('is revoked, forgotten and said to be of no use when the person is erased', async () => {
    const before = stage.authorization.requests('revocation').length;
    expect(await stage.run('privacy', 'erase', '--user', who, '--yes')).toMatchObject({ code: 0 });
    expect(stage.authorization.requests('revocation').length - before).toBe(2);
    expect(stage.holdsAccount()).toBe(false);
    expect(await listed()).toMatchObject({ state: 'parked', account: { lapsed: 'who signed in was erased (signer_erased)' } });
    const { stdout } = await stage.run('mcp', 'list');
    expect(stdout).toContain('not usable any more: who signed in was erased');
    expect(stdout.replace(/\s+/g, ' ')).toContain('Sign in again with `toolledger mcp sign-in club`.');
    expect(await stage.run.json('call', 'whoami')).toMatchObject({ code: 1, document: { status: 'refused' } });
  });

  it('is not there when the person is erased while it is being made', async () => {
    const other = '423456789012345678';
    await stage.run('call', 'roll_dice', '{"notation":"1d6"}', '--user', other);
    const held = stage.authorization.holdToken();
    const revoked = stage.authorization.requests('revocation').length;
    const signingIn = personSignsIn(other);
    await held.made;
    expect(await stage.run('privacy', 'erase', '--user', other, '--yes')).toMatchObject({ code: 0 });
    held.release();
    expect(await signingIn).toMatchObject({ status: 'failed', reason: 'signer_erased' });
    expect(stage.authorization.requests('revocation').length - revoked).toBe(2);
    expect(stage.holdsAccount()).toBe(false);
  });

  it('makes room for somebody else\u2019s', async () => {
    await stage.signIn();
    const server = await listed();
    // What held for the tools before is what the page has marked.
    expect(server).toMatchObject({ state: 'enabled', account: { lapsed: null, signer: server?.audience.person } });
    const name = 'the operator of this machine';
    const { stdout } = await stage.run('mcp', 'list');
    expect(stdout).toContain(` by ${name} since `);
    expect(stdout).toContain(`club: only for ${name}`);
    expect((await stage.run('mcp', 'audience', 'club')).stdout).toBe(`Server club is for ${name} only, everywhere.\n`);
    expect((await stage.run('mcp', 'history', 'club')).stdout).toContain(`by ${name}, for “tools”`);
  });

  it('is named on the pages as it is everywhere', async () => {
    const signer = async (...args: string[]): Promise<string | undefined> => {
      const { link, ended, stop } = await stage.begin(...args);
      const { html } = await newScriptedBrowser().open(link);
      stop();
      await ended;
      return /<dt>Begun by<\/dt><dd><bdi>(.+?)<\/bdi>/.exec(html)?.[1];
    };
    expect(await signer()).toBe('the operator of this machine');
    const person = await signer('--user', '523456789012345678');
    await personSignsIn('523456789012345678');
    expect(person).toBe(`person ${(await listed())?.account?.signer}`);
  });
});
