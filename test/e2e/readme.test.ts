import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { dataDirectories } from '../support/cli/dataDirectories.js';
import { toolledger } from '../support/cli/program.js';
import { startServe, type Served } from '../support/cli/served.js';
import { startEverythingServer, type EverythingServer } from '../support/everythingServer.js';

jest.setTimeout(120_000);

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly scripts: { readonly [name: string]: string } };

/** The lines of all `sh` blocks, without comments. */
const lines = [...readme.matchAll(/^```sh\n([^]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n').map((line) => line.replace(/\s+#.*/, '')));
const commands = lines.filter((line) => line.startsWith('npx toolledger '));

describe('the README', () => {
  const data = dataDirectories()();
  let served: Served;
  let everything: EverythingServer;

  beforeAll(async () => {
    [served, everything] = await Promise.all([startServe(data), startEverythingServer()]);
  });
  afterAll(async () => {
    await served.stop();
    await everything.stop();
  });

  it('shows commands that work as they stand, one after the other', async () => {
    expect(commands.length).toBeGreaterThan(6);
    let callId = '';
    for (const command of commands) {
      const { code, stdout, stderr } = await toolledger(data, wordsOf(command.replace('CALLID', callId).replace('http://127.0.0.1:3001/mcp', everything.url)));
      expect({ command, code, stderr: stderr.replace(/^verifying: .*\n/gm, '') }).toEqual({ command, code: 0, stderr: '' });
      callId = /"callId": "([^"]+)"/.exec(stdout)?.[1] ?? callId;
    }
  });

  it('starts what `npm start` starts, and tests with what `npm test` runs', () => {
    expect(lines.filter((line) => line.startsWith('npm '))).toEqual(['npm ci && npm start', 'npm ci && npm test']);
    expect(manifest.scripts).toMatchObject({ start: 'node dist/program/app/bin.js serve', test: expect.stringContaining('jest') });
  });

  it('names files and a header that are there', async () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(3);
    for (const path of links) expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).not.toBe('');

    const headers = { authorization: `Bearer ${served.token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const response = await fetch(`${served.origin}/mcp`, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
    expect(response.status).toBe(200);
    await response.text();
  });
});

/** A command of the README as a shell would split it, without `npx toolledger`. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '').slice(2);
}
