import type { NewId } from '../../../platform/ids.js';
import type { Schedule } from '../../../platform/time/schedule.js';
import type { Secrets } from '../../../platform/vault/secrets.js';

/** How long others wait for one who died, in milliseconds. Who lives prolongs it while it works. */
const leaseMs = 30_000;
const prolongEveryMs = leaseMs / 3;
const lookAgainMs = 200;

export interface LeaseParts {
  readonly secrets: Pick<Secrets, 'takeLease' | 'releaseLease'>;
  readonly newId: NewId;
  readonly wait: (ms: number) => Promise<void>;
  readonly schedule: Schedule;
}

/**
 * Does something with the account of a server while nobody else does, here or wherever else the vault is used.
 * @returns null when somebody elsewhere has had it for longer than is waited for: then nothing was done
 */
export type UnderLease = <T>(serverId: string, work: () => Promise<T>) => Promise<{ readonly done: T } | null>;

/** In one process everyone gets a turn, in the order they came; between processes a lease in the vault decides. */
export function underLease(parts: LeaseParts): UnderLease {
  const lastTurns = new Map<string, Promise<unknown>>();
  return async (serverId, work) => {
    const turn = Promise.allSettled([lastTurns.get(serverId)]).then(() => leased(`grant ${serverId}`, parts, work));
    const over = Promise.allSettled([turn]).then(() => {
      if (lastTurns.get(serverId) === over) lastTurns.delete(serverId);
    });
    lastTurns.set(serverId, over);
    return turn;
  };
}

async function leased<T>(name: string, parts: LeaseParts, work: () => Promise<T>): Promise<{ readonly done: T } | null> {
  const { secrets, newId, wait } = parts;
  const holder = newId();
  // Counted by what was waited: a clock may be set back.
  for (let waited = 0; waited <= leaseMs; waited += lookAgainMs) {
    if (await secrets.takeLease(name, holder, leaseMs)) {
      const stop = prolong(name, holder, parts);
      return work()
        .then((done) => ({ done }))
        .finally(async () => {
          stop();
          await secrets.releaseLease(name, holder);
        });
    }
    await wait(lookAgainMs);
  }
  return null;
}

/** @returns stops it */
function prolong(name: string, holder: string, { secrets, schedule }: LeaseParts): () => void {
  let cancel = (): void => undefined;
  const plan = (): void => {
    cancel = schedule(prolongEveryMs, () => {
      plan();
      // One that cannot be prolonged now is tried again; versions keep others' work safe from ours.
      secrets.takeLease(name, holder, leaseMs).catch(() => undefined);
    });
  };
  plan();
  return () => cancel();
}
