import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { stackTraceIn } from '../../support/cli/printedBytes.js';
import { jsonInThisProcess } from '../../support/cli/inProcess.js';
import { startServe, type Served } from '../../support/cli/served.js';
import { mountSmallDisk } from '../../support/cli/smallDisk.js';
import { freePort } from '../../support/oauth/freePort.js';
import { startAuthorizationServer, type AuthorizationServer } from '../../support/oauth/servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from '../../support/oauth/servers/protectedMcpServer.js';
import { beginSignIn, upToConfirming } from '../../support/oauth/signInFrom.js';
import { secretNames, signInRecord } from '../../support/oauth/signInTraces.js';

const disk = mountSmallDisk();
afterAll(() => disk?.remove());

let authorization: AuthorizationServer;
let server: ProtectedMcpServer;
beforeAll(async () => {
  authorization = await startAuthorizationServer();
  server = await startProtectedMcpServer(authorization);
});
afterAll(async () => {
  await server.stop();
  await authorization.stop();
});

const unanswered = expect.stringContaining('could not read or store what this takes') as unknown;

// Needs a file system of its own, which only root may make.
const describeWhere = disk === null ? describe.skip : describe;

describeWhere('a disk that fills up', () => {
  let data: string;
  let env: { readonly TOOLLEDGER_PORT: string };
  let served: Served;
  let directories = 0;
  beforeEach(async () => {
    data = join(disk?.directory ?? '', `${(directories += 1)}`);
    env = { TOOLLEDGER_PORT: String(await freePort()) };
    served = await startServe(data, { env });
    expect(await jsonInThisProcess(data, ['mcp', 'add', server.url, '--name', 'club'])).toMatchObject({ code: 0 });
  });
  afterEach(async () => {
    await served.stop('SIGKILL');
    disk?.free();
  });

  /** Ends the `serve` of the full disk in peace, and goes on with another one that has room. */
  async function madeRoom(): Promise<void> {
    disk?.free();
    const { code, stderr } = await served.stop();
    expect([code, stackTraceIn(stderr)]).toEqual([0, null]);
    served = await startServe(data, { env });
  }

  it('before the answer is taken: the page says so, nothing is asked for, and the same answer is good once there is room', async () => {
    const { link, ended } = await beginSignIn(data, ['club']);
    const { browser, page } = await upToConfirming(link);
    const asked = authorization.requests('token').length;
    disk?.fill();
    const refused = await browser.submit(page);
    expect(refused).toMatchObject({ status: 503, html: unanswered });
    expect(authorization.requests('token')).toHaveLength(asked);
    disk?.free();
    expect(await browser.submit(page)).toMatchObject({ status: 200, html: expect.stringContaining('Signed in to club') as unknown });
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('while the tokens are fetched: they are revoked, who waits is told at once, and with room again it is over, on record, and can be done anew', async () => {
    const { link, ended } = await beginSignIn(data, ['club']);
    const { browser, page } = await upToConfirming(link);
    const held = authorization.holdToken();
    const last = browser.submit(page);
    await held.made;
    const revoked = authorization.requests('revocation').length;
    disk?.fill();
    held.release();
    const refused = await last;
    // Tokens that nobody can keep are good for nobody.
    expect(authorization.requests('revocation').length - revoked).toBe(2);
    expect(refused).toMatchObject({ status: 503, html: unanswered });
    expect(await ended).toMatchObject({ code: 1, document: { status: 'failed' } });
    await madeRoom();
    expect(signInRecord(data)).toEqual(['McpSignInStarted', 'McpSignInFailed interrupted']);
    expect(secretNames(data)).not.toContain('grant');
    const again = await beginSignIn(data, ['club']);
    const second = await upToConfirming(again.link);
    expect(await second.browser.submit(second.page)).toMatchObject({ status: 200 });
    expect(await again.ended).toMatchObject({ code: 0 });
    expect(await jsonInThisProcess(data, ['call', 'whoami'])).toMatchObject({ code: 0 });
  });

  it('while it is looked what the server offers: they are signed in, and told so with the words of the store, which are in the log too', async () => {
    server.behave({ moreTools: 200 });
    const { link, ended } = await beginSignIn(data, ['club']);
    const { browser, page } = await upToConfirming(link);
    const held = server.holdListing();
    const last = browser.submit(page);
    await held.made;
    expect(signInRecord(data)).toEqual(['McpSignInStarted', 'McpSignInCompleted']);
    disk?.fill();
    held.release();
    expect(await last).toMatchObject({ status: 200, html: expect.stringContaining('You are signed in, and that is on record') as unknown });
    expect(await ended).toMatchObject({ code: 1, document: { status: 'signed_in_unusable', reason: 'read_only', message: expect.stringMatching(/Signed in to club, but it cannot be used yet: The ledger cannot be written .*SQLITE_FULL/) as unknown } });
    server.behave({ moreTools: 0 });
    disk?.free();
    const { stderr } = await served.stop();
    expect(stderr).toMatch(/"level":"error".*signed_in_unseen.*SQLITE_FULL/);
    served = await startServe(data, { env });
    expect(await jsonInThisProcess(data, ['mcp', 'refresh', 'club'])).toMatchObject({ code: 0, document: { tools: 2 } });
  });

  it('before the tokens came, so that the ledger takes nothing more: nobody is told that it failed, and the next start completes it', async () => {
    const { link, ended } = await beginSignIn(data, ['club']);
    const { browser, page } = await upToConfirming(link);
    const held = authorization.holdToken();
    const last = browser.submit(page);
    await held.made;
    disk?.fill();
    // What was set aside for the ledger on the disk is still written.
    while ((await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"1d6"}'])).code === 0);
    disk?.free();
    held.release();
    const shown = await last;
    expect([shown.status, shown.html]).toEqual([202, expect.stringContaining('It does so by itself, and you need not sign in again')]);
    expect(await ended).toMatchObject({ code: 1, document: { status: 'pending', reason: 'read_only', message: expect.stringMatching(/could not be put on record yet: .*SQLITE_FULL.* It is completed by itself/) as unknown } });
    expect(await browser.open(page.url)).toMatchObject({ status: 202 });
    await madeRoom();
    expect(signInRecord(data)).toEqual(['McpSignInStarted', 'McpSignInCompleted']);
    expect(await jsonInThisProcess(data, ['mcp', 'refresh', 'club'])).toMatchObject({ code: 0, document: { tools: 2 } });
  });

  it('before it begins: the command says so, and there is no link', async () => {
    disk?.fill();
    expect(await jsonInThisProcess(data, ['mcp', 'sign-in', 'club'])).toMatchObject({ code: 1, document: { error: { message: expect.stringContaining('SQLITE_FULL') as unknown } } });
    await madeRoom();
    expect(signInRecord(data)).toEqual([]);
  });
});
