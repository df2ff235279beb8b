import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { stackTraceIn } from '../support/cli/printedBytes.js';
import { jsonInThisProcess } from '../support/cli/inProcess.js';
import { startProgram, toolledger, toolledgerJson } from '../support/cli/program.js';
import { startServe } from '../support/cli/served.js';
import { on, replyResult, startHostileMcpServer, type HostileMcpServer } from '../support/hostileMcpServer.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();

/** Makes the server keep every tool call until the returned function is called. */
function holdCalls(remote: HostileMcpServer): () => void {
  const waiting: (() => void)[] = [];
  remote.behave(
    on('tools/call', (message, response) => waiting.push(() => replyResult(response, message, { content: [{ type: 'text', text: 'done' }] }))),
  );
  return () => {
    for (const answer of waiting) answer();
  };
}

describe('toolledger serve', () => {
  it('says what runs where, keeps its token to itself, and stops cleanly on SIGTERM and on SIGINT', async () => {
    const data = newDirectory();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const served = await startServe(data);
      expect(served.announced).toContain(`${served.origin}/mcp`);
      expect(served.announced).toContain('npx toolledger call roll_dice');
      expect(statSync(join(data, 'mcp-token')).mode & 0o777).toBe(0o600);
      expect(await (await fetch(`${served.origin}/version`)).json()).toEqual({ version: '0.1.0' });
      const health = await fetch(`${served.origin}/health`);
      expect([health.status, await health.json()]).toMatchObject([200, { status: 'ok', checks: { ledger: { ok: true }, views: { ok: true }, disk: { ok: true } } }]);

      const { code, stdout, stderr } = await served.stop(signal);
      expect(code).toBe(0);
      expect(stdout + stderr).not.toContain(served.token);
      expect(stackTraceIn(stdout + stderr)).toBeNull();
      const lines = stderr.trimEnd().split('\n');
      const notices = lines.filter((line) => !line.startsWith('{'));
      expect(notices).toEqual(signal === 'SIGTERM' ? [expect.stringContaining('Copy it to another place now')] : []);
      expect(lines.slice(notices.length).map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['serving', 'stopping', 'stopped']);
    }
    expect(await toolledgerJson(data, ['ledger', 'verify'])).toMatchObject({ code: 0 });
  });

  it('is the only one of its directory: a second one ends with 1 and names the first', async () => {
    const data = newDirectory();
    const served = await startServe(data);
    const [text, json] = await Promise.all([toolledger(data, ['serve']), toolledgerJson(data, ['serve'])]);
    await served.stop();
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toContain(`is already served by process ${served.pid}`);
    expect(json).toMatchObject({ code: 1, document: { error: { code: 'already_served', pid: served.pid } } });
  });

  it('says so when its port is taken, and leaves the directory to others', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = String((taken.address() as AddressInfo).port);
    const data = newDirectory();
    const refused = await toolledger(data, ['serve'], { env: { TOOLLEDGER_PORT: port } });
    taken.close();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(port);
    expect(stackTraceIn(refused.stderr)).toBeNull();
    expect(await jsonInThisProcess(data, ['call', 'roll_dice', '{"notation":"d6"}'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('serves twenty commands while a long call runs, which then succeeds', async () => {
    const data = newDirectory();
    const remote = await startHostileMcpServer();
    const served = await startServe(data, { env: { GUILD_MCP_EXECUTION_TIMEOUT_MS: '600000' } });
    await jsonInThisProcess(data, ['mcp', 'add', remote.url, '--name', 'slow']);
    const answer = holdCalls(remote);
    const long = toolledgerJson(data, ['call', 'plain']);
    await remote.received('tools/call');

    const codes: (number | null)[] = [];
    for (let batch = 0; batch < 5; batch += 1) {
      const done = await Promise.all([toolledgerJson, jsonInThisProcess, jsonInThisProcess, jsonInThisProcess].map((call) => call(data, ['call', 'roll_dice', '{"notation":"d6"}'])));
      codes.push(...done.map(({ code }) => code));
    }
    expect(codes).toEqual(Array.from({ length: 20 }, () => 0));

    answer();
    expect(await long).toMatchObject({ code: 0, document: { status: 'succeeded' } });
    await served.stop();
    await remote.stop();
  });

  it('lets a running call end before it stops, and takes no new one', async () => {
    const data = newDirectory();
    const remote = await startHostileMcpServer();
    const served = await startServe(data);
    await jsonInThisProcess(data, ['mcp', 'add', remote.url, '--name', 'slow']);
    const answer = holdCalls(remote);
    const running = toolledgerJson(data, ['call', 'plain']);
    await remote.received('tools/call');

    const stopped = served.stop();
    // The HTTP listener is the first to close.
    while (await fetch(`${served.origin}/version`).then((response) => response.ok, () => false));
    answer();
    expect(await running).toMatchObject({ code: 0, document: { status: 'succeeded' } });
    expect((await stopped).code).toBe(0);
    await remote.stop();
  });

  it('ends the calls that a killed one left open as unknown, which a person may settle; whoever waited is told where to look', async () => {
    const data = newDirectory();
    const [remote, silent] = await Promise.all([startHostileMcpServer(), startHostileMcpServer()]);
    silent.behave(on('initialize', () => undefined));
    const served = await startServe(data);
    await jsonInThisProcess(data, ['mcp', 'add', remote.url, '--name', 'slow']);
    holdCalls(remote);
    const cut = toolledgerJson(data, ['call', 'plain', '--call-id', 'cut']);
    const adding = jsonInThisProcess(data, ['mcp', 'add', silent.url, '--name', 'silent']);
    await Promise.all([remote.received('tools/call'), silent.received('initialize')]);
    await served.stop('SIGKILL');
    const lost = 'The connection to the owner of the data directory ended before it answered, so it is not known whether the request was carried out.';
    expect(await cut).toMatchObject({
      code: 1,
      document: { error: { code: 'owner_lost', message: `${lost} Look for the call with \`toolledger audit search\`. With the --call-id it had it can be repeated: no id runs twice.` } },
    });
    expect(await adding).toMatchObject({ code: 1, document: { error: { code: 'owner_lost', message: `${lost} Look with \`toolledger mcp list\` before you repeat it.` } } });

    const again = await jsonInThisProcess(data, ['call', 'plain', '--call-id', 'cut']);
    expect(again).toMatchObject({ code: 1, document: { status: 'unknown', replayed: true } });
    expect(remote.seen.filter(({ method }) => method === 'tools/call')).toHaveLength(1);

    const settle = ['audit', 'settle', again.document.callId, '--verdict', 'succeeded', '--because', 'seen at the tool'];
    expect(await jsonInThisProcess(data, settle)).toMatchObject({ code: 0 });
    expect(await jsonInThisProcess(data, settle)).toMatchObject({ code: 1, document: { error: { code: 'already_settled' } } });
    await Promise.all([remote.stop(), silent.stop()]);
  });

  it('tells a command that waits for another one who that is', async () => {
    const data = newDirectory();
    const remote = await startHostileMcpServer();
    await jsonInThisProcess(data, ['mcp', 'add', remote.url, '--name', 'slow']);
    const answer = holdCalls(remote);
    const first = toolledgerJson(data, ['call', 'plain']);
    await remote.received('tools/call');

    const second = startProgram(data, ['call', 'roll_dice', '{"notation":"d6"}']);
    const [notice] = (await once(second.stderr ?? second, 'data')) as [Buffer];
    expect(notice.toString()).toMatch(/^Waiting for process \d+ \(toolledger call\), which has used the data directory since \d{4}-/);
    answer();
    expect(await first).toMatchObject({ code: 0 });
    const [code] = (await once(second, 'close')) as [number];
    expect(code).toBe(0);
    await remote.stop();
  });
});
