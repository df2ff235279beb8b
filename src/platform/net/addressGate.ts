import ipaddr from 'ipaddr.js';

/** What a caller may reach beyond public addresses. */
export interface AddressPolicy {
  /** Whether this machine itself may be reached. */
  readonly allowLoopback: boolean;
  /** Whether private networks may be reached. Link-local addresses and cloud services never may. */
  readonly allowPrivate: boolean;
}

/** What may be connected to. */
export interface DestinationPolicy extends AddressPolicy {
  /** Ports on which this program itself listens on this machine: never connected to. */
  readonly ownPorts: ReadonlySet<number>;
}

type AddressRefusal = 'loopback' | 'private' | 'link_local' | 'cloud_metadata' | 'not_public' | 'not_an_address' | 'own_listener';

export type AddressVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: AddressRefusal };

/** Platform services of cloud providers that lie in ranges which look public, shared or unique-local. */
const cloudAddresses: ReadonlySet<string> = new Set([
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
]);

const refusalOfRange: ReadonlyMap<string, AddressRefusal> = new Map([
  ['loopback', 'loopback'],
  ['private', 'private'],
  ['uniqueLocal', 'private'],
  ['carrierGradeNat', 'private'],
  ['linkLocal', 'link_local'],
]);

const allowed: AddressVerdict = { allowed: true };

const publicOnly: AddressPolicy = { allowLoopback: false, allowPrivate: false };

/**
 * Judges where a connection would go. One to this program's own listeners would let a server, or whoever registers it,
 * act as the program.
 * @param address IPv4 dotted or IPv6 text, with or without a zone
 */
export function judgeDestination(address: string, port: number, policy: DestinationPolicy): AddressVerdict {
  return policy.ownPorts.has(port) && isLoopback(address) ? refused('own_listener') : judgeAddress(address, policy);
}

/** Whether an address, in any form of this machine's, is the machine itself. */
export function isLoopback(address: string): boolean {
  const verdict = judgeAddress(address, publicOnly);
  return !verdict.allowed && verdict.reason === 'loopback';
}

/**
 * Judges one IP address, as resolved or as written. Only globally routable unicast passes; addresses that carry an
 * IPv4 address (mapped, NAT64, 6to4, Teredo) are judged by what they carry.
 * @param address IPv4 dotted or IPv6 text, with or without a zone
 */
export function judgeAddress(address: string, policy: AddressPolicy): AddressVerdict {
  const bare = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(bare) || (!bare.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(bare))) return refused('not_an_address');
  const parsed = ipaddr.parse(bare);
  return parsed instanceof ipaddr.IPv6 ? judgeIPv6(parsed, policy) : judgeIPv4(parsed, policy);
}

function judgeIPv4(address: ipaddr.IPv4, policy: AddressPolicy): AddressVerdict {
  return judgePlain(address.toString(), address.range(), policy);
}

function judgeIPv6(address: ipaddr.IPv6, policy: AddressPolicy): AddressVerdict {
  if (address.isIPv4MappedAddress()) return judgeIPv4(address.toIPv4Address(), policy);
  const carried = carriedIPv4(address.toByteArray());
  // Through a translator or a tunnel even an allowed loopback address is somebody else's machine.
  for (const inner of carried) {
    const verdict = judgeIPv4(inner, publicOnly);
    if (!verdict.allowed) return verdict;
  }
  if (carried.length > 0) return allowed;
  const isLowest96 = address.toByteArray().slice(0, 12).every((byte) => byte === 0);
  const range = address.range();
  if (isLowest96 && range !== 'loopback') return refused('not_public');
  return judgePlain(address.toString(), range, policy);
}

function judgePlain(text: string, range: string, policy: AddressPolicy): AddressVerdict {
  if (cloudAddresses.has(text)) return refused('cloud_metadata');
  if (range === 'unicast') return allowed;
  const reason = refusalOfRange.get(range) ?? 'not_public';
  if (reason === 'loopback' && policy.allowLoopback) return allowed;
  if (reason === 'private' && policy.allowPrivate) return allowed;
  return refused(reason);
}

/** The IPv4 addresses inside a translated or tunnelled address: NAT64 (RFC 6052), SIIT (RFC 6145), 6to4, Teredo. */
function carriedIPv4(bytes: readonly number[]): ipaddr.IPv4[] {
  const v4 = (from: number, flip = 0) => new ipaddr.IPv4(bytes.slice(from, from + 4).map((byte) => byte ^ flip));
  if (startsWith(bytes, [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0])) return [v4(12)];
  if (startsWith(bytes, [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0])) return [v4(12)];
  if (startsWith(bytes, [0x20, 0x02])) return [v4(2)];
  if (startsWith(bytes, [0x20, 0x01, 0, 0])) return [v4(4), v4(12, 0xff)];
  return [];
}

function startsWith(bytes: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

function refused(reason: AddressRefusal): AddressVerdict {
  return { allowed: false, reason };
}
