import { describe, expect, it } from '@jest/globals';
import { judgeServerUrl, type LocalReach } from '../../../src/mcp/client/serverUrl.js';

const nowhere: LocalReach = { localOrigins: new Set(), ownPorts: new Set() };

describe('where a workspace may register a server', () => {
  it('gives the URL to dial and the part of it to show', () => {
    expect(judgeServerUrl('https://Example.org/mcp?key=1#x', 'g1', nowhere)).toEqual({
      url: 'https://example.org/mcp?key=1',
      address: { scheme: 'https', host: 'example.org', port: 443 },
    });
    expect(judgeServerUrl('http://[::1]:3001/mcp', 'local', nowhere).address).toEqual({ scheme: 'http', host: '[::1]', port: 3001 });
  });

  it.each(['g1', 'd0199'])('keeps this machine and plain http from workspace %s', (workspace) => {
    expect(() => judgeServerUrl('https://127.0.0.1/mcp', workspace, nowhere)).toThrow(expect.objectContaining({ kind: 'usage', code: 'url_address_refused' }));
    expect(() => judgeServerUrl('http://example.org/mcp', workspace, nowhere)).toThrow(expect.objectContaining({ code: 'url_https_required' }));
  });

  it.each(['local', 'g1'])('lets workspace %s use an origin that is listed as local', (workspace) => {
    const reach = { ...nowhere, localOrigins: new Set(['http://10.0.0.5:3001']) };
    expect(judgeServerUrl('http://10.0.0.5:3001/mcp', workspace, reach).address).toEqual({ scheme: 'http', host: '10.0.0.5', port: 3001 });
  });

  it.each(['local', 'g1'])('keeps the own endpoint of the program from workspace %s', (workspace) => {
    expect(() => judgeServerUrl('https://localhost:7411/mcp', workspace, { ...nowhere, ownPorts: new Set([7411]) })).toThrow(expect.objectContaining({ code: 'url_own_listener' }));
  });
});
