import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { AddressVerdict } from './addressGate.js';
import { NetFault } from './netFault.js';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name to all its addresses. Passed in, so that tests decide what a name means. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The operating system's resolver. */
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * A lookup for sockets that hands out only judged addresses: what is judged is what is connected to. One refused
 * address refuses the name, because a name that is both public and internal is an attack or a mistake.
 */
export function guardedLookup(resolve: Resolve, judge: (address: string) => AddressVerdict): LookupFunction {
  return (hostname, options, callback) => {
    judgedAddresses(hostname, resolve, judge).then(
      (addresses) => {
        const first = addresses[0];
        if (first === undefined) callback(new NetFault('dns_failed', `The name ${hostname} has no address.`), '', 0);
        else if (options.all === true) callback(null, addresses.map(({ address, family }) => ({ address, family })));
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(asError(error), '', 0),
    );
  };
}

/**
 * All addresses of a name, each judged.
 * @throws NetFault `dns_failed` or `blocked_address`
 */
export async function judgedAddresses(hostname: string, resolve: Resolve, judge: (address: string) => AddressVerdict): Promise<readonly ResolvedAddress[]> {
  let addresses: readonly ResolvedAddress[];
  try {
    addresses = await resolve(hostname);
  } catch (error) {
    throw new NetFault('dns_failed', `The name ${hostname} could not be resolved. Check the host name and this machine's DNS.`, { cause: error });
  }
  for (const { address } of addresses) {
    const verdict = judge(address);
    if (!verdict.allowed) {
      throw new NetFault('blocked_address', `The name ${hostname} leads to ${address}, which is refused (${verdict.reason}).`);
    }
  }
  return addresses;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
