import { describe, expect, it } from '@jest/globals';
import { judgeUrl, type UrlPolicy } from '../../../src/platform/net/urlGate.js';

const nothingElse = { localOrigins: new Set<string>(), ownPorts: new Set<number>() };
const local: UrlPolicy = { allowLoopback: true, httpsOnly: false, ...nothingElse };
const guild: UrlPolicy = { allowLoopback: false, httpsOnly: true, ...nothingElse };
const code = (text: string, policy: typeof local) => {
  const verdict = judgeUrl(text, policy);
  return verdict.ok ? verdict.url.href : verdict.code;
};

describe('the URL gate', () => {
  it.each([
    ['https://example.org/mcp', 'https://example.org/mcp'],
    ['https://example.org/mcp#part', 'https://example.org/mcp'],
    ['https://example.org./mcp', 'https://example.org/mcp'],
    ['HTTPS://EXAMPLE.ORG:443/mcp?a=b', 'https://example.org/mcp?a=b'],
    ['https://1.1.1.1/mcp', 'https://1.1.1.1/mcp'],
  ])('takes %s everywhere', (text, href) => {
    expect([code(text, local), code(text, guild)]).toEqual([href, href]);
  });

  it.each(['127.0.0.1', '0x7f.1', '0x7f000001', '2130706433', '017700000001', '127.1', '127.0.0.1.', '127。0。0。1', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', 'localhost', 'LOCALHOST.', 'x.localhost'])(
    'knows that %s is this machine',
    (host) => {
      expect(code(`http://${host}:8080/mcp`, local)).toMatch(/^http:/);
      expect(code(`https://${host}:8080/mcp`, guild)).toBe('url_address_refused');
    },
  );

  it.each(['169.254.169.254', '0xa9fea9fe', '2852039166', '[::ffff:169.254.169.254]', '10.0.0.1', '192.168.0.1', '0', '[fe80::1]', '[fd00:ec2::254]', '[::]', '255.255.255.255'])(
    'refuses the address %s even for the local workspace',
    (host) => {
      expect(code(`http://${host}/mcp`, local)).toBe('url_address_refused');
    },
  );

  it('names the setting for origins on this network where it helps, and not where it never does', () => {
    const setting = 'MCP_ALLOWED_LOCAL_ORIGINS, which `toolledger serve` reads at its start';
    const never = 'Link-local addresses and the services of cloud providers never are allowed.';
    expect(judgeUrl('http://tools.internal/mcp', guild)).toMatchObject({ message: `Plain http: is not allowed for this workspace. Use https:, or list http://tools.internal in ${setting}.` });
    expect(judgeUrl('https://10.0.0.1/mcp', guild)).toMatchObject({ message: `The host 10.0.0.1 is refused (private). Only public addresses are allowed, and the origins listed in ${setting}.` });
    for (const origin of ['https://169.254.169.254', 'https://[fe80::1]', 'http://169.254.169.254']) expect(judgeUrl(`${origin}/mcp`, guild)).toMatchObject({ message: expect.stringContaining(never) });
  });

  describe('where an origin is listed as local', () => {
    const listed: UrlPolicy = { ...guild, localOrigins: new Set(['http://10.0.0.5:3001', 'https://tools.internal', 'http://169.254.169.254', 'http://localhost:3001']) };

    it.each(['http://10.0.0.5:3001/mcp', 'https://tools.internal/mcp', 'http://LOCALHOST:3001/mcp'])('takes %s, for every workspace', (text) => {
      expect([code(text, listed), code(text, guild)]).toEqual([text.toLowerCase(), text.startsWith('https:') ? text : 'url_https_required']);
    });

    it.each([
      ['another port', 'http://10.0.0.5:3002/mcp', 'url_https_required'],
      ['another scheme', 'https://10.0.0.5:3001/mcp', 'url_address_refused'],
      ['another spelling of the host', 'http://127.0.0.1:3001/mcp', 'url_https_required'],
      ['cloud metadata, listed or not', 'http://169.254.169.254/latest', 'url_address_refused'],
    ])('refuses %s', (_, text, expected) => {
      expect(code(text, listed)).toBe(expected);
    });

    it('lets its name lead to a private address', () => {
      expect(judgeUrl('https://tools.internal/', listed)).toMatchObject({ destinations: { allowPrivate: true, allowLoopback: true } });
      expect(judgeUrl('https://other.internal/', listed)).toMatchObject({ destinations: { allowPrivate: false, allowLoopback: false } });
    });
  });

  it.each(['127.0.0.1', '127.0.0.2', '0x7f.1', '2130706433', '[::1]', '[::ffff:7f00:1]', 'localhost', 'x.localhost.'])(
    'refuses the port on which the program itself listens on %s, for a reason of its own',
    (host) => {
      const ownPorts = new Set([7411]);
      const origin = new URL(`http://${host.replace(/\.$/, '')}:7411`).origin;
      expect(code(`http://${host}:7411/mcp`, { ...local, ownPorts, localOrigins: new Set([origin]) })).toBe('url_own_listener');
      expect(code(`https://${host}:7411/mcp`, { ...guild, ownPorts })).toBe('url_own_listener');
      expect(code(`http://${host}:7412/mcp`, { ...local, ownPorts })).toMatch(/^http:/);
    },
  );

  it.each([
    ['ftp://example.org/', 'url_scheme_refused'],
    ['file:///etc/passwd', 'url_scheme_refused'],
    ['javascript:alert(1)', 'url_scheme_refused'],
    ['https://user@example.org/', 'url_credentials_refused'],
    ['https://:pw@example.org/', 'url_credentials_refused'],
    ['example.org/mcp', 'url_invalid'],
    ['https://', 'url_invalid'],
    ['https://exa mple.org/', 'url_invalid'],
    ['https://example.org/\n', 'url_invalid'],
    ['ht\ttps://example.org/', 'url_invalid'],
    ['https:\\\\example.org', 'url_invalid'],
    ['https://example.org/\u0000', 'url_invalid'],
    ['https://999.1.1.1/', 'url_invalid'],
    ['https://./', 'url_invalid'],
    [`https://example.org/${'a'.repeat(500)}`, 'url_too_long'],
  ])('refuses %j (%s)', (text, expected) => {
    expect(code(text, local)).toBe(expected);
  });

  it('takes plain http for the local workspace only', () => {
    expect([code('http://example.org/', local), code('http://example.org/', guild)]).toEqual(['http://example.org/', 'url_https_required']);
  });

  it('takes exactly 500 characters', () => {
    const text = `https://example.org/${'a'.repeat(480)}`;
    expect(code(text, local)).toBe(text);
  });

  it('says what is allowed, and never repeats the path or a password', () => {
    const verdict = judgeUrl('https://user:hunter2@example.org/private', guild);
    expect(verdict).toMatchObject({ ok: false, message: 'The URL contains a user name or password. Leave them out and give a token instead.' });
  });
});
