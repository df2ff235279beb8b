import { describe, expect, it } from '@jest/globals';
import { judgeFetch } from '../../../src/platform/net/fetchGate.js';

const addresses: { readonly [host: string]: readonly string[] } = {
  'example.org': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example': ['10.0.0.7'],
  'half.example': ['93.184.215.14', '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
};
const resolve = async (host: string) => {
  const found = addresses[host];
  if (found === undefined) throw new Error('no such name');
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

describe('a URL that a server is asked to fetch', () => {
  it.each(['https://example.org/page?q=1#top', 'http://example.org', 'https://93.184.215.14/', `https://example.org/${'x'.repeat(4_000)}`])('passes when it is public: %s', async (url) => {
    expect(await judgeFetch(url, resolve)).toEqual({ ok: true });
  });

  it.each([
    ['file:///etc/passwd', 'url_scheme_refused'],
    ['example.org', 'url_invalid'],
    ['', 'url_invalid'],
    ['https://exa mple.org/', 'url_invalid'],
    ['https://user:word@example.org/', 'url_credentials_refused'],
    ['http://127.0.0.1/', 'url_address_refused'],
    ['http://2130706433/', 'url_address_refused'],
    ['http://0x7f.1/', 'url_address_refused'],
    ['http://[::ffff:127.0.0.1]/', 'url_address_refused'],
    ['http://localhost:7411/mcp', 'url_address_refused'],
    ['http://169.254.169.254/latest/meta-data', 'url_address_refused'],
    ['https://inside.example/', 'url_address_refused'],
    ['https://half.example/', 'url_address_refused'],
    ['https://metadata.example/', 'url_address_refused'],
    ['https://nowhere.example/', 'url_unresolved'],
    [`https://example.org/${'x'.repeat(5_000)}`, 'url_too_long'],
  ])('is refused: %s', async (url, code) => {
    expect(await judgeFetch(url, resolve)).toMatchObject({ ok: false, code });
  });
});
