import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../../support/cli/dataDirectories.js';
import { firstInProcesses, inThisProcess } from '../../support/cli/inProcess.js';
import { stackTraceIn, steeringIn } from '../../support/cli/printedBytes.js';
import type { Finished } from '../../support/cli/program.js';
import { startServe, type Served } from '../../support/cli/served.js';
import { on, plainTool, replyResult, startHostileMcpServer, type HostileMcpServer } from '../../support/hostileMcpServer.js';

jest.setTimeout(180_000);

const newDirectory = dataDirectories();

/** Clears the screen, sets the title, rings, goes back, turns the line around, hides, and does it all again in C1. */
const steering = 'A\u001b[2J\u001b]0;title\u0007\b\r\u009b31m\u0090q\u009c\u202egnp.exe\u2066\u200b\u2028\u0000\ufeffZ';

describe('what steers a terminal', () => {
  const data = newDirectory();
  let remote: HostileMcpServer;
  let served: Served;
  const runOne = firstInProcesses(data);
  const printed: (Finished & { readonly command: string })[] = [];

  async function run(...args: string[]): Promise<Finished> {
    const finished = await runOne(...args);
    printed.push({ command: args.join(' '), ...finished });
    return finished;
  }

  beforeAll(async () => {
    remote = await startHostileMcpServer();
    remote.behave((message, response) => {
      if (message.method === 'initialize') {
        const serverInfo = { name: steering, version: steering, title: steering };
        return replyResult(response, message, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo, instructions: steering });
      }
      if (message.method === 'tools/list') {
        const properties = { value: { type: 'string', description: steering } };
        const tools = [
          { ...plainTool, description: steering, title: steering, inputSchema: { type: 'object', properties } },
          { ...plainTool, name: 'failing' },
          { ...plainTool, name: steering },
          { ...plainTool, name: 'odd', inputSchema: { type: 'object', properties: { [steering]: {} } } },
        ];
        return replyResult(response, message, { tools });
      }
      return on('tools/call', () => {
        const failing = message.params['name'] === 'failing';
        replyResult(response, message, { isError: failing, content: [{ type: 'text', text: steering }], ...(!failing && { structuredContent: { [steering]: steering } }) });
      })(message, response);
    });
    served = await startServe(data);

    await run('mcp', 'add', remote.url, '--name', 'hostile');
    await run('mcp', 'add', `${remote.origin}/${encodeURI('\u001b[2J')}`, '--name', '\u001b[2J\u202e');
    await run('mcp', 'list');
    await run('mcp', 'refresh', 'hostile');
    await run('mcp', 'tool', 'off', 'hostile', 'odd\u001b[2J\u202e');
    await run('mcp', 'history', 'hostile');
    await run('mcp', 'history', 'no\u001b[2J\u202eone', '--id', '\u001b[2J\u202e');
    await run('mcp', 'what-if', 'hostile');
    await run('mcp', 'what-if', 'hostile', '--cooldown', '\u001b[2J\u202e');
    await run('mcp', 'remove', 'no\u001b[2J\u202eone');
    await run('tools', 'list', '--explain');
    await run('tools', 'list', '--json');
    await run('tools', 'off', 'x\u001b[2J\u202e');
    await run('call', 'plain', JSON.stringify({ [steering]: steering, value: steering }));
    await run('call', 'plain', '{}', '--user', 'u\u001b[2J');
    await run('call', 'failing', '{}', '--json');
    await run('call', 'x\u001b[2J\u202ey', '{}');
    await run('call', 'roll_dice', JSON.stringify({ notation: `d6${steering}` }));
    await run('call', 'roll_dice', '{"notation":"d6\u001b[2J"}');
    await run('call', 'roll_dice', '{}', '--call-id', 'x\u001b[2J');
    await run('call', 'roll_dice', '{}', '--workspace', 'x\u001b[2J\u202e');
    await run('audit', 'search');
    await run('audit', 'search', '--json');
    await run('audit', 'search', '--text', '\u001b[2J\u202e');
    await run('audit', 'show', 'x\u001b[2J\u202e');
    await run('workspace', 'open', 'g\u001b[2J\u202e');
    await run('projections', 'rebuild', 'x\u001b[2J\u202e');
    await run('projections', 'status');
    await run('\u001b[2J\u202e');
    await run('audit', 'search', '--\u001b[2J\u202e');
    await run('audit', 'search', '--outcome', '\u001b[2J\u202e');
    await run('audit', 'search', '--since', '\u001b[2J\u202e');
    const calls = await inThisProcess(data, ['audit', 'search', '--json']);
    for (const { callId } of (JSON.parse(calls.stdout) as { readonly calls: readonly { readonly callId: string }[] }).calls) await run('audit', 'show', callId);
    printed.push({ command: 'serve', ...(await served.stop()) });
  });
  afterAll(() => remote.stop());

  it('is never printed raw, whatever it is part of', () => {
    const raw = printed.flatMap(({ command, stdout, stderr }) => [steeringIn(stdout), steeringIn(stderr)].flatMap((found) => (found === null ? [] : [{ command, found }])));
    expect(raw).toEqual([]);
  });

  it('is gone from what a server answered, and shown escaped where it was part of something else', () => {
    const everything = printed.map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(everything).toContain('"text": "A[2J]0;title');
    expect(everything).toContain(String.raw`"notation":"d6A\u001b[2J\u001b]0;title\u0007`);
    expect(everything).toContain(String.raw`\u{1b}[2J\u{202e}`);
  });

  it('breaks nothing: each command ended as it should, without a stack trace', () => {
    expect(printed.length).toBeGreaterThan(30);
    for (const { command, code, stdout, stderr } of printed) {
      expect([command, [0, 1, 2].includes(code ?? -1), stackTraceIn(stdout), stackTraceIn(stderr)]).toEqual([command, true, null, null]);
      expect(stdout + stderr).not.toContain('internal_error');
    }
  });

  it('would be found if it were printed', () => {
    for (const character of ['\u001b', '\u009b', '\u202e', '\u0007', '\r', '\u200b', '\0']) expect(steeringIn(`a${character}b`)).not.toBeNull();
    expect(steeringIn(readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8'))).toBeNull();
  });
});
