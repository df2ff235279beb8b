import { describe, expect, it } from '@jest/globals';
import { judgeServerUrl } from '../../../src/mcp/client/serverUrl.js';

describe('where a workspace may register a server', () => {
  it('gives the URL to dial and the part of it to show', () => {
    expect(judgeServerUrl('https://Example.org/mcp?key=1#x', 'g1')).toEqual({
      url: 'https://example.org/mcp?key=1',
      address: { scheme: 'https', host: 'example.org', port: 443 },
    });
    expect(judgeServerUrl('http://[::1]:3001/mcp', 'local').address).toEqual({ scheme: 'http', host: '[::1]', port: 3001 });
  });

  it.each(['g1', 'd0199'])('keeps this machine and plain http from workspace %s', (workspace) => {
    expect(() => judgeServerUrl('https://127.0.0.1/mcp', workspace)).toThrow(expect.objectContaining({ kind: 'usage', code: 'url_address_refused' }));
    expect(() => judgeServerUrl('http://example.org/mcp', workspace)).toThrow(expect.objectContaining({ code: 'url_https_required' }));
  });
});
