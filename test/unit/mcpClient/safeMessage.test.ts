import { describe, expect, it } from '@jest/globals';
import { safeMessage } from '../../../src/mcp/client/failures/safeMessage.js';

const token = ['my', 'very', 'own', 'token'].join('-');

describe('a message that may hold a server\u2019s own words', () => {
  it('holds no token that was sent, not even one with hidden characters inside', () => {
    expect(safeMessage(`no: ${token}, ${token.split('').join('\u200b')}`, [token])).toBe('no: [redacted:server_secret], [redacted:server_secret]');
  });

  it('holds no secret that nobody told it of', () => {
    const key = ['ghp_', 'a1B2c3D4e5F6g7H8i9J0', 'k1L2m3N4o5P6q7R8'].join('');
    expect(safeMessage(`key ${key} is bad`, [])).not.toContain(key);
  });

  it('reduces URLs to scheme, host and port', () => {
    expect(safeMessage('at https://u:p@example.org:8443/a/b?c=d#e and http://[::1]:1/x.', [])).toBe('at https://example.org:8443 and http://[::1]:1');
  });

  it('is one line without terminal escapes', () => {
    expect(safeMessage('a\n\r\tb\u001b]0;title\u0007c\u009b1m', [])).toBe('a b]0;titlec1m');
  });

  it('has at most 500 characters and never half a character', () => {
    expect(safeMessage('x'.repeat(501), [])).toBe(`${'x'.repeat(499)}…`);
    expect(safeMessage(`${'x'.repeat(498)}😀😀`, [])).toBe(`${'x'.repeat(498)}…`);
  });
});
