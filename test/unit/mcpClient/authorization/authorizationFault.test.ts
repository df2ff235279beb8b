import { describe, expect, it } from '@jest/globals';
import { AuthorizationFault, faultOfNetwork } from '../../../../src/mcp/client/authorization/authorizationFault.js';
import { NetFault } from '../../../../src/platform/net/netFault.js';

describe('a fault of authorization', () => {
  it('may be shown, whatever a server said', () => {
    const { message } = new AuthorizationFault('token_refused', `It said:\u001b[2J \u202e https://as.example/x?code=1 my-verifier ${'x '.repeat(1_000)}`, ['my-verifier']);
    expect(message).toMatch(/^It said:\[2J {1,2}https:\/\/as\.example \[redacted:server_secret\] x/);
    expect(message.length).toBeLessThanOrEqual(500);
  });

  it('has no cause', () => {
    const fault = faultOfNetwork(new NetFault('connection_lost', 'Lost.', { cause: new Error('token') }), 'server_unreachable', 'The server https://a.example');
    expect(fault).toEqual(new AuthorizationFault('server_unreachable', 'The server https://a.example: Lost.'));
    expect(fault).not.toHaveProperty('cause');
  });

  it.each([
    ['blocked_address', 'blocked_address'],
    ['invalid_url', 'blocked_address'],
    ['redirect_refused', 'metadata_unusable'],
    ['response_too_large', 'response_too_large'],
    ['dns_failed', 'server_unreachable'],
    ['total_timeout', 'server_unreachable'],
  ] as const)('of the network: %s is %s', (code, expected) => {
    expect(faultOfNetwork(new Error('fetch failed', { cause: new NetFault(code, 'x') }), 'server_unreachable', 'It')).toMatchObject({ code: expected });
  });

  it('leaves what is none as it is', () => {
    const bug = new TypeError('bug');
    expect(faultOfNetwork(bug, 'server_unreachable', 'It')).toBe(bug);
  });
});
