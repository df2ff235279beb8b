import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readConfig, settingNames } from '../../../src/platform/config.js';
import { makeSigner } from '../../../src/platform/tlog/noteKey.js';
import { Fault } from '../../../src/platform/fault.js';

function faultOf(env: Record<string, string>): Fault {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('The settings were accepted');
}

const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
const exampleSettings = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const);

describe('settings', () => {
  it('have defaults', () => {
    expect(readConfig({})).toEqual({
      dataDirectory: './data',
      port: 7_411,
      oauthPort: null,
      publicUrl: null,
      logLevel: 'info',
      toolTimeoutMs: 300_000,
      mcpConnectTimeoutMs: 15_000,
      mcpCallTimeoutMs: 30_000,
      mcpFailureCooldownMs: 300_000,
      mcpIdleMs: 600_000,
      mcpAllowedLocalOrigins: new Set(),
      maxMcpServers: 10,
      definitionPolicy: 'warn',
      callTextIndex: true,
      sealEveryEvents: 1_000,
      sealEveryMs: 60_000,
      checkpointLog: null,
      sealWitnesses: [],
      retention: { toolCall: null, toolRefusals: null },
      masterKey: null,
    });
  });

  it('are read from the environment', () => {
    const masterKey = Buffer.alloc(32, 7).toString('base64');
    const env = { TOOLLEDGER_DATA: '/srv/data', TOOLLEDGER_PORT: ' 0 ', LOG_LEVEL: 'debug', CALL_TEXT_INDEX: 'off', MCP_DEFINITION_POLICY: 'hold' };
    expect(readConfig({ ...env, TOOLLEDGER_MASTER_KEY: masterKey, OTHER: 'x' })).toMatchObject({
      dataDirectory: '/srv/data',
      port: 0,
      logLevel: 'debug',
      callTextIndex: false,
      definitionPolicy: 'hold',
      masterKey,
    });
  });

  it('refuse one port for two listeners, but for any free one', () => {
    const allowed = 'another port than that of TOOLLEDGER_PORT, which is 7411; unset: that one, for both';
    expect(faultOf({ TOOLLEDGER_OAUTH_PORT: '7411' })).toMatchObject({ kind: 'usage', code: 'invalid_setting', details: { settings: [{ name: 'TOOLLEDGER_OAUTH_PORT', given: '"7411"', allowed }] } });
    expect(faultOf({ TOOLLEDGER_PORT: '8000', TOOLLEDGER_OAUTH_PORT: '8000' }).message).toContain('which is 8000');
    expect(readConfig({ TOOLLEDGER_PORT: '0', TOOLLEDGER_OAUTH_PORT: '0' })).toMatchObject({ port: 0, oauthPort: 0 });
  });

  it('take ages of payloads in days, and keep for ever what has none', () => {
    expect(readConfig({ RETENTION_TOOL_CALLS_DAYS: '365' }).retention).toEqual({ toolCall: 365 * 86_400_000, toolRefusals: null });
    expect(() => readConfig({ RETENTION_TOOL_CALLS_DAYS: '-1' })).toThrow('days; unset: for ever');
  });

  it('list origins that may be local', () => {
    expect(readConfig({ MCP_ALLOWED_LOCAL_ORIGINS: 'http://10.0.0.5:3001, HTTPS://Tools.Internal:443/' }).mcpAllowedLocalOrigins).toEqual(
      new Set(['http://10.0.0.5:3001', 'https://tools.internal']),
    );
  });

  it.each(['10.0.0.5:3001', 'http://10.0.0.5/mcp', 'http://user:pw@10.0.0.5', 'ftp://10.0.0.5', 'http://10.0.0.5,', 'http://10.0.0.5?x', 'http://a b', 'http://tools.internal.', '*'])(
    'refuse %j as an origin',
    (given) => {
      expect(faultOf({ MCP_ALLOWED_LOCAL_ORIGINS: given }).message).toContain('origins divided by commas, each a scheme (http or https), a host');
    },
  );

  it('name where browsers elsewhere come in by its origin', () => {
    expect(readConfig({ TOOLLEDGER_PUBLIC_URL: 'HTTPS://Bot.Example:443/', TOOLLEDGER_OAUTH_PORT: '8080' })).toMatchObject({ publicUrl: 'https://bot.example', oauthPort: 8_080 });
  });

  it.each(['http://bot.example', 'https://bot.example/oauth', 'https://user@bot.example', 'bot.example', 'https://'])('refuse %j as a public URL', (given) => {
    expect(faultOf({ TOOLLEDGER_PUBLIC_URL: given }).message).toContain('an https origin without path');
  });

  it('name witnesses by URL and public key', () => {
    const [one, two] = [1, 2].map((number) => makeSigner(`witness.example/${number}`, Buffer.alloc(32, number)).verifier.vkey);
    expect(readConfig({ SEAL_WITNESSES: `https://a.example/w ${one}, http://127.0.0.1:8000  ${two}` }).sealWitnesses).toEqual([
      { url: 'https://a.example/w', vkey: one },
      { url: 'http://127.0.0.1:8000', vkey: two },
    ]);
  });

  it('count as absent when blank', () => {
    expect(readConfig(Object.fromEntries(settingNames.map((name) => [name, '  '])))).toEqual(readConfig({}));
  });

  it.each([
    ['TOOLLEDGER_PORT', '65536', 'a whole number from 0 to 65535'],
    ['TOOLLEDGER_PORT', '-1', 'a whole number'],
    ['TOOLLEDGER_PORT', '80.5', 'a whole number'],
    ['TOOLLEDGER_PORT', '0x50', 'a whole number'],
    ['TOOL_EXECUTION_TIMEOUT_MS', '9999', 'a whole number from 10000 to'],
    ['GUILD_MCP_CONNECTION_TTL_MINUTES', '1e9', 'a whole number from 1 to'],
    ['LOG_LEVEL', 'verbose', 'one of debug, info, warn, error, silent'],
    ['MCP_DEFINITION_POLICY', 'Hold', 'one of warn, hold'],
    ['CALL_TEXT_INDEX', 'true', 'one of on, off'],
    ['SEAL_EVERY_EVENTS', '0', 'a whole number from 1 to'],
    ['SEAL_WITNESSES', 'https://a.example', 'a space and its public key'],
    ['SEAL_WITNESSES', 'ftp://a.example witness+00000000+AAAA', 'an http or https URL'],
    ['SEAL_WITNESSES', 'https://a.example witness+00000000+AAAA', 'a space and its public key'],
    ['TOOLLEDGER_DATA', 'a\0b', 'without control characters'],
    ['TOOLLEDGER_DATA', 'x'.repeat(1_001), 'at most 1000 characters'],
  ])('refuse %s=%j, naming it, what was given and what is allowed', (name, value, allowed) => {
    const { kind, code, message, details } = faultOf({ [name]: value });
    expect({ kind, code }).toEqual({ kind: 'usage', code: 'invalid_setting' });
    expect(details).toEqual({ settings: [{ name, given: expect.any(String), allowed: expect.stringContaining(allowed) }] });
    expect(message).toContain(`${name} was given "${value.slice(0, 1)}`);
    expect(message).toContain(allowed);
  });

  it('tell of every bad one at once', () => {
    const { message } = faultOf({ TOOLLEDGER_PORT: 'x', LOG_LEVEL: 'y', MAX_MCP_SERVERS_PER_GUILD: '0' });
    expect(message).toMatch(/TOOLLEDGER_PORT.*LOG_LEVEL.*MAX_MCP_SERVERS_PER_GUILD/);
  });

  it('show what was given cut and safe to print', () => {
    const { message } = faultOf({ LOG_LEVEL: `\u001b[2J${'x'.repeat(10_000)}` });
    expect(message).toContain('"\\u{1b}[2Jxxx');
    expect(message.length).toBeLessThan(500);
  });

  it.each(['hunter2hunter2', Buffer.alloc(31, 7).toString('base64'), Buffer.alloc(33, 7).toString('base64')])('never show the master key (%s)', (masterKey) => {
    const { message, details } = faultOf({ TOOLLEDGER_MASTER_KEY: masterKey });
    expect(message).toContain('TOOLLEDGER_MASTER_KEY was given a value that is not shown; allowed: base64 of 32 bytes');
    expect(message + JSON.stringify(details)).not.toContain(masterKey);
  });

  it('do not show a secret that was put into the wrong variable', () => {
    const token = 'ghp_' + 'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36);
    const { message, details } = faultOf({ LOG_LEVEL: token });
    expect(message + JSON.stringify(details)).not.toContain(token);
  });

  it('are the ones that .env.example lists, with their defaults', () => {
    expect(exampleSettings.map(([name]) => name).toSorted()).toEqual(settingNames.toSorted());
    expect(readConfig(Object.fromEntries(exampleSettings))).toEqual(readConfig({}));
  });
});
