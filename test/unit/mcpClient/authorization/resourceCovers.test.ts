import { describe, expect, it } from '@jest/globals';
import { resourceCovers } from '../../../../src/mcp/client/authorization/discovery/resourceCovers.js';

describe('whether a protected resource is the registered server or contains it', () => {
  it.each([
    ['https://a.example/mcp', 'https://a.example/mcp'],
    ['https://a.example', 'https://a.example/'],
    ['https://a.example', 'https://a.example/mcp/x'],
    ['https://a.example/', 'https://a.example/mcp'],
    ['https://a.example/t', 'https://a.example/t/mcp'],
    ['https://a.example/t/', 'https://a.example/t/mcp'],
    ['https://a.example/mcp', 'https://a.example/mcp/'],
    ['https://a.example/mcp', 'https://a.example/mcp?key=1'],
    ['https://a.example/mcp?key=1', 'https://a.example/mcp?key=1'],
    ['HTTPS://A.EXAMPLE:443/mcp', 'https://a.example/mcp'],
    ['https://a.example/a%20b', 'https://a.example/a%20b/mcp'],
    ['http://127.0.0.1:80/mcp', 'http://127.0.0.1/mcp'],
  ])('%s does for %s', (resource, server) => {
    expect(resourceCovers(resource, server)).toBe(true);
  });

  it.each([
    ['another host', 'https://b.example/mcp', 'https://a.example/mcp'],
    ['a host that begins alike', 'https://a.example.evil/mcp', 'https://a.example/mcp'],
    ['another scheme', 'http://a.example/mcp', 'https://a.example/mcp'],
    ['another port', 'https://a.example:8443/mcp', 'https://a.example/mcp'],
    ['half a segment', 'https://a.example/mc', 'https://a.example/mcp'],
    ['a longer segment', 'https://a.example/mcp2', 'https://a.example/mcp'],
    ['a path below', 'https://a.example/mcp/x', 'https://a.example/mcp'],
    ['a final slash more', 'https://a.example/mcp/', 'https://a.example/mcp'],
    ['another case', 'https://a.example/MCP', 'https://a.example/mcp'],
    ['other percent-encoding', 'https://a.example/%6dcp', 'https://a.example/mcp'],
    ['percent-encoding in another case', 'https://a.example/a%2fb', 'https://a.example/a%2Fb'],
    ['a slash that is encoded', 'https://a.example/t%2F', 'https://a.example/t/mcp'],
    ['dots, even when they lead back', 'https://a.example/x/../mcp', 'https://a.example/mcp'],
    ['encoded dots', 'https://a.example/x/%2e%2e/mcp', 'https://a.example/mcp'],
    ['backslashes', 'https://a.example\\mcp', 'https://a.example/mcp'],
    ['a query the server has not', 'https://a.example/mcp?x=1', 'https://a.example/mcp'],
    ['another query', 'https://a.example/mcp?x=1', 'https://a.example/mcp?x=2'],
    ['a query on a path above', 'https://a.example/?x=1', 'https://a.example/mcp?x=1'],
    ['a fragment', 'https://a.example/mcp#x', 'https://a.example/mcp'],
    ['an empty fragment', 'https://a.example/mcp#', 'https://a.example/mcp'],
    ['user information', 'https://u:p@a.example/mcp', 'https://a.example/mcp'],
    ['blanks', ' https://a.example/mcp', 'https://a.example/mcp'],
    ['line breaks', 'https://a.example/m\ncp', 'https://a.example/mcp'],
    ['a path without host', '/mcp', 'https://a.example/mcp'],
    ['another kind of URI', 'urn:a:mcp', 'https://a.example/mcp'],
  ])('not with %s', (_, resource, server) => {
    expect(resourceCovers(resource, server)).toBe(false);
  });
});
