import type { NewId } from '../../../platform/ids.js';
import type { Secrets } from '../../../platform/vault/secrets.js';

/** Longer than what is done over the network under one lease, two tries to renew or two revocations. Whoever holds one that is over has died. */
const leaseMs = 30_000;
const lookAgainMs = 200;

export interface LeaseParts {
  readonly secrets: Pick<Secrets, 'takeLease' | 'releaseLease'>;
  readonly newId: NewId;
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * Changes the account of a server while nobody else does, here or wherever else the vault is used. Whoever died doing it
 * keeps others waiting only until the lease is over.
 * @param instead asked again and again while it is waited; what it gives ends the wait, null goes on
 * @returns null when others had the lease for longer than anybody may
 */
export async function underLease<T>(serverId: string, { secrets, newId, wait }: LeaseParts, instead: () => Promise<T | null>, work: () => Promise<T>): Promise<T | null> {
  const name = `grant ${serverId}`;
  const holder = newId();
  // Counted by what was waited: a clock may be set back.
  for (let waited = 0; waited <= leaseMs; waited += lookAgainMs) {
    const found = await instead();
    if (found !== null) return found;
    if (await secrets.takeLease(name, holder, leaseMs)) return work().finally(() => secrets.releaseLease(name, holder));
    await wait(lookAgainMs);
  }
  return null;
}
