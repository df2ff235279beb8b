import { describe, expect, it } from '@jest/globals';
import { judgeAddress, judgeDestination } from '../../../src/platform/net/addressGate.js';

const verdict = (address: string, allowLoopback: boolean, allowPrivate = false) => {
  const judged = judgeAddress(address, { allowLoopback, allowPrivate });
  return judged.allowed ? 'allowed' : judged.reason;
};

describe('the address gate', () => {
  it.each([
    '93.184.216.34',
    '1.1.1.1',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
    '2002:101:101::1',
    '2001:0:101:101::fefe:fefe',
  ])('lets the public address %s through', (address) => {
    expect(verdict(address, false)).toBe('allowed');
  });

  it.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])('lets the loopback address %s through only where that is allowed', (address) => {
    expect([verdict(address, true), verdict(address, false)]).toEqual(['allowed', 'loopback']);
  });

  it.each([
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['fd12::1', 'private'],
    ['100.64.0.1', 'private'],
    ['169.254.1.1', 'link_local'],
    ['fe80::1', 'link_local'],
    ['fe80::1%eth0', 'link_local'],
    ['169.254.169.254', 'cloud_metadata'],
    ['169.254.170.2', 'cloud_metadata'],
    ['168.63.129.16', 'cloud_metadata'],
    ['100.100.100.200', 'cloud_metadata'],
    ['192.0.0.192', 'cloud_metadata'],
    ['fd00:ec2::254', 'cloud_metadata'],
    ['fd20:ce::254', 'cloud_metadata'],
    ['0.0.0.0', 'not_public'],
    ['255.255.255.255', 'not_public'],
    ['224.0.0.1', 'not_public'],
    ['240.0.0.1', 'not_public'],
    ['192.0.2.1', 'not_public'],
    ['198.18.0.1', 'not_public'],
    ['::', 'not_public'],
    ['ff02::1', 'not_public'],
    ['2001:db8::1', 'not_public'],
    ['fec0::1', 'not_public'],
    ['64:ff9b:1::1', 'not_public'],
    // An IPv4 address in the lowest 96 bits, which libraries call plain unicast.
    ['::a9fe:a9fe', 'not_public'],
    ['::7f00:1', 'not_public'],
    // Refused addresses inside mapped, translated and tunnelled ones.
    ['::ffff:169.254.169.254', 'cloud_metadata'],
    ['::ffff:10.0.0.1', 'private'],
    ['64:ff9b::a9fe:a9fe', 'cloud_metadata'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['::ffff:0:7f00:1', 'loopback'],
    ['2002:7f00:1::', 'loopback'],
    ['2002:a00:1::', 'private'],
    ['2001:0:7f00:1::', 'loopback'],
    ['2001:0:101:101::f5ff:fffe', 'private'],
    ['', 'not_an_address'],
    ['example.org', 'not_an_address'],
    ['127.1', 'not_an_address'],
    ['0x7f000001', 'not_an_address'],
  ])('refuses %s everywhere (%s)', (address, reason) => {
    expect([verdict(address, true), verdict(address, false)]).toEqual([reason, reason]);
  });

  it.each(['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd12::1', '::ffff:10.0.0.1'])('lets the private address %s through only where that is allowed', (address) => {
    expect([verdict(address, false, true), verdict(address, false)]).toEqual(['allowed', 'private']);
  });

  it.each([
    ['169.254.1.1', 'link_local'],
    ['fe80::1', 'link_local'],
    ['100.100.100.200', 'cloud_metadata'],
    ['fd00:ec2::254', 'cloud_metadata'],
    ['::ffff:169.254.169.254', 'cloud_metadata'],
    ['0.0.0.0', 'not_public'],
    // Behind a translator a private address is in somebody else's network.
    ['64:ff9b::a00:1', 'private'],
  ])('refuses %s also where everything is allowed that may be (%s)', (address, reason) => {
    expect(verdict(address, true, true)).toBe(reason);
  });

  it.each(['127.0.0.1', '127.0.0.9', '::1', '::ffff:127.0.0.1'])("refuses the program's own port on %s", (address) => {
    const judge = (port: number) => judgeDestination(address, port, { allowLoopback: true, allowPrivate: true, ownPorts: new Set([7411]) });
    expect([judge(7411), judge(7412)]).toEqual([{ allowed: false, reason: 'own_listener' }, { allowed: true }]);
  });

  it("leaves that port alone on other machines", () => {
    expect(judgeDestination('10.0.0.1', 7411, { allowLoopback: true, allowPrivate: true, ownPorts: new Set([7411]) })).toEqual({ allowed: true });
  });
});
