import { describe, expect, it } from '@jest/globals';
import type { Recorded } from '../../../src/commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream, type McpServersCommand } from '../../../src/commands/mcpServers/mcpServers.js';
import { tellOfServers } from '../../../src/reactors/tellOfServers.js';
import { handlerUnderTest, origin } from '../../support/handlerUnderTest.js';

const serverId = '0198c0de-0000-7000-8000-0000000000aa';
const stream = mcpServersStream('local');

/** A house in which the server `shop` is registered, what is told in it, and when the next line is. */
function house() {
  const lines: object[] = [];
  let heard: (recorded: Recorded) => void = () => undefined;
  let next: () => void = () => undefined;
  const { handler, clock } = handlerUnderTest({ onRecorded: (recorded) => heard(recorded) });
  heard = tellOfServers({
    handler,
    info: (fields, message) => {
      lines.push({ ...fields, message });
      next();
    },
  });
  const line = () => new Promise<void>((resolve) => (next = resolve));
  const execute = (...commands: [McpServersCommand, ...McpServersCommand[]]) => handler.execute(mcpServersDecider, stream, commands, origin);
  const failure = (what: 'timeout' | 'needs_sign_in', now: number) => ({ type: 'RecordFailure', serverId, class: what, revision: 99, asked: false, retryAfterMs: null, now, baseMs: 1_000 }) as const;
  const register = () => execute({ type: 'Register', serverId, name: 'shop', kind: 'generic', scheme: 'https', host: 'x.example', port: 443, credential: 'none', limit: 9 });
  return { lines, line, execute, failure, register, clock, hear: (recorded: Recorded) => heard(recorded) };
}

describe('what operators are told of servers', () => {
  it('is a line each when one is quarantined, disabled by itself, parked, and works again', async () => {
    const { lines, line, execute, failure, register, clock } = house();
    await register();
    await Promise.all([line(), execute(failure('timeout', clock.time))]);
    clock.time += 90_000_000;
    await Promise.all([line(), execute(failure('timeout', clock.time))]);
    await execute({ type: 'Enable', serverId });
    await Promise.all([line(), execute(failure('needs_sign_in', clock.time))]);
    await Promise.all([line(), execute({ type: 'RecordSuccess', serverId })]);
    const shop = { server: 'shop', workspace: 'local' };
    expect(lines).toEqual([
      { ...shop, class: 'timeout', failures: 1, forMs: 1_000, message: 'an MCP server is quarantined' },
      { ...shop, class: 'timeout', failures: 2, message: 'an MCP server was disabled by itself' },
      { ...shop, reason: 'needs_sign_in', message: 'an MCP server is parked' },
      { ...shop, message: 'an MCP server works again' },
    ]);
  });

  it('is that somebody signed in, and that it lapsed, without who and where', async () => {
    const { lines, line, hear, register } = house();
    await register();
    const completed = { type: 'McpSignInCompleted', data: { serverId, signInId: 's', issuer: 'https://login.example', signer: 'subject-1' } };
    const lapsed = { type: 'McpReauthorizationRequired', data: { serverId, reason: 'refresh_refused', scopes: [] } };
    const narrow = { type: 'McpReauthorizationRequired', data: { serverId, reason: 'insufficient_scope', scopes: [] } };
    for (const event of [completed, lapsed, narrow]) {
      const told = line();
      hear({ stream: `mcpSignIn-${serverId}`, workspace: 'local', events: [event] });
      await told;
    }
    expect(lines).toEqual([
      { server: 'shop', workspace: 'local', message: 'an MCP server was signed in to' },
      { server: 'shop', workspace: 'local', reason: 'refresh_refused', message: 'the sign-in at an MCP server is no longer valid' },
      { server: 'shop', workspace: 'local', reason: 'insufficient_scope', message: 'the account at an MCP server is good, but too narrow for what was wanted' },
    ]);
  });

  it('is nothing of what others record', async () => {
    const { lines, hear } = house();
    hear({ stream: 'toolCall-1', workspace: 'local', events: [{ type: 'McpServerParked' }] });
    hear({ stream: stream, workspace: 'local', events: [] });
    expect(lines).toEqual([]);
  });
});
