import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { inThisProcess } from '../../support/cli/inProcess.js';
import { toolledger, type Finished } from '../../support/cli/program.js';
import { startServe, type Served } from '../../support/cli/served.js';
import { on, plainTool, reply, replyResult, startHostileMcpServer, type HostileMcpServer } from '../../support/hostileMcpServer.js';
import { plantedSecrets } from '../../support/plantedSecrets.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();

/** A few that are put where only one fits. */
const [first, second, third, fourth] = ['github token', 'openai project key', 'slack bot token', 'npm token'].map(secretOf) as [string, string, string, string];
const token = secretOf('stripe live key');
const all = [...new Set(plantedSecrets.map(({ secret }) => secret).filter((secret) => secret.length > 7))];

function secretOf(kind: string): string {
  const planted = plantedSecrets.find((secret) => secret.kind === kind);
  if (planted === undefined) throw new Error(`no secret of kind ${kind} is planted`);
  return planted.secret;
}

describe('secrets in parameters, results, URLs and error texts', () => {
  const data = newDirectory();
  let remote: HostileMcpServer;
  let served: Served;
  let raw: Finished;
  const shown: (Finished & { readonly command: string })[] = [];
  const files = new Map<string, Buffer>();

  async function run(args: readonly string[], input = ''): Promise<Finished> {
    const finished = await toolledger(data, args, { input });
    shown.push({ command: args.slice(0, 2).join(' '), ...finished });
    return finished;
  }

  /** The same for many alike. */
  async function runHere(args: readonly string[]): Promise<void> {
    shown.push({ command: args.slice(0, 2).join(' '), ...(await inThisProcess(data, args)) });
  }

  /** The answer of a call is the caller's own; what stands beside it is not. */
  async function call(args: readonly string[], input = ''): Promise<Finished> {
    const finished = await toolledger(data, ['call', ...args], { input });
    shown.push({ command: 'call', ...finished, stdout: '' });
    return finished;
  }

  async function callHere(args: readonly string[]): Promise<void> {
    shown.push({ command: 'call', ...(await inThisProcess(data, ['call', ...args])), stdout: '' });
  }

  beforeAll(async () => {
    remote = await startHostileMcpServer();
    const texts = plantedSecrets.map(({ text }) => text);
    remote.behave((message, response) => {
      if (message.method === 'tools/list') {
        const tools = ['plain', 'failing', 'breaking'].map((name) => ({ ...plainTool, name, description: `Use it with ${first}.` }));
        return replyResult(response, message, { tools });
      }
      return on('tools/call', () => {
        const name = message.params['name'];
        // In pieces, so that previews hold each of them.
        const content = texts.map((text) => ({ type: 'text', text }));
        if (name === 'breaking') reply(response, { jsonrpc: '2.0', id: message.id, error: { code: -32000, message: `no access with ${second}` } });
        else replyResult(response, message, { isError: name === 'failing', content: name === 'failing' ? content.slice(0, 40) : content });
      })(message, response);
    });
    served = await startServe(data, { env: { LOG_LEVEL: 'debug' } });

    await run(['mcp', 'add', `${remote.url}?access_token=${third}`, '--name', 'remote', '--token-stdin'], `${token}\n`);
    await run(['mcp', 'add', `http://bob:${fourth}@127.0.0.1:1/mcp`, '--name', 'other']);
    await run(['mcp', 'add', `http://127.0.0.1:1/mcp?api_key=${fourth}`, '--name', 'other']);
    raw = await call(['plain', '-', '--json'], JSON.stringify({ list: texts, deep: { more: texts.map((text) => ({ text })) }, json: JSON.stringify(texts) }));
    for (const text of [first, second, third, fourth]) await callHere(['plain', JSON.stringify({ password: text, note: `it is ${text}` })]);
    await call(['failing']);
    await callHere(['breaking']);
    await callHere(['roll_dice', JSON.stringify({ notation: first, token: second })]);
    await callHere([fourth, JSON.stringify({ token: second })]);
    await runHere(['tools', 'list', '--explain']);
    await runHere(['tools', 'list', '--json']);
    await runHere(['mcp', 'list', '--json']);
    await runHere(['mcp', 'refresh', 'remote']);
    const { stdout } = await run(['audit', 'search', '--json']);
    for (const { callId } of (JSON.parse(stdout) as { readonly calls: readonly { readonly callId: string }[] }).calls) {
      await runHere(['audit', 'show', callId]);
      await runHere(['audit', 'show', callId, '--json']);
    }
    await run(['projections', 'rebuild', '--all']);
    // Also what lies in write-ahead logs while it runs.
    for (const name of readdirSync(data, { recursive: true }) as string[]) {
      const path = join(data, name);
      if (statSync(path).isFile()) files.set(name, readFileSync(path));
    }
    shown.push({ command: 'serve', ...(await served.stop()) });
  });
  afterAll(() => remote.stop());

  it('reach the tool and its caller as they are; only hidden characters, and those in use for its server, do not come back', () => {
    const sent = JSON.stringify(remote.seen.map(({ params }) => params));
    const answered = JSON.stringify(JSON.parse(raw.stdout));
    for (const { text } of plantedSecrets) {
      expect(sent).toContain(JSON.stringify(text).slice(1, -1));
      if ([token, third].some((own) => text.includes(own))) expect(answered).not.toContain(text);
      else expect(answered).toContain(JSON.stringify(text.replaceAll('\u200b', '')).slice(1, -1));
    }
    expect(remote.seen.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
  });

  it('are in no file of the data directory', () => {
    expect([...files.keys()]).toEqual(expect.arrayContaining(['ledger.db', 'ledger.db-wal', 'keys.db', join('readmodels', 'callText@2.db')]));
    const found = [...files].flatMap(([name, bytes]) => all.filter((secret) => bytes.includes(secret)).map((secret) => `${name}: ${secret}`));
    expect(found).toEqual([]);
  });

  it('are in nothing that any command printed, and in no log', () => {
    expect(shown.length).toBeGreaterThan(20);
    const found = shown.flatMap(({ command, stdout, stderr }) => all.filter((secret) => `${stdout}${stderr}`.includes(secret)).map((secret) => `${command}: ${secret}`));
    expect(found).toEqual([]);
  });

  it('leave what stands around them', () => {
    const lives = shown.filter(({ command }) => command === 'audit show').map(({ stdout }) => stdout);
    expect(lives.join('')).toMatch(/it is .*redacted/i);
  });
});
