import type { OwnerServices } from '../../operations/services.js';
import { endStrayGrants } from '../../operations/servers/signIn/signingOut/endStrayGrants.js';
import { expireSignIns } from '../../operations/servers/signIn/ending/settleSignIns.js';
import type { Schedule } from '../../platform/time/schedule.js';

const lookEveryMs = 60_000;

/**
 * Ends sign-ins whose time is over, now and every minute, and once what a process that is gone has left of accounts: nobody
 * uses that, so nobody has to wait for it at a start.
 * @returns stops it, and resolves when a look under way is over
 */
export function startExpiring(services: OwnerServices, schedule: Schedule, onError: (error: unknown) => void): () => Promise<void> {
  let cancel = (): void => undefined;
  const stop = new AbortController();
  const strays = endStrayGrants(services, stop.signal).catch((error: unknown) => stop.signal.aborted || onError(error));
  let looking = look();

  async function look(): Promise<void> {
    await expireSignIns(services).catch(onError);
    cancel = schedule(lookEveryMs, () => {
      looking = look();
    });
  }

  return async () => {
    stop.abort();
    await Promise.all([strays, looking]);
    cancel();
  };
}
