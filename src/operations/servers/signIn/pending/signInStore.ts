import type { Secrets } from '../../../../platform/vault/secrets.js';
import { broughtTo, type BroughtDigests, type PendingSignIn } from './pendingSignIn.js';
import { digestOf } from './signInSecrets.js';

export interface VersionedSignIn {
  readonly pending: PendingSignIn;
  readonly version: string;
}

/**
 * What is left of a sign-in that has ended, until its time would have been over: by it is known what is brought a second
 * time. Nothing of it is secret.
 */
export interface EndedSignIn extends Pick<PendingSignIn, 'signInId' | 'serverId' | 'serverName' | 'origin' | 'expiresAt'> {
  /** SHA-256 of what the link and the state held. */
  readonly ended: { readonly link: string; readonly state: string };
  /** Of one whose answer was taken; else null. */
  readonly brought: BroughtDigests | null;
  /** Why one came to nothing, as a code; null when it was completed. */
  readonly reason: string | null;
}

const name = 'signIn';
const ownerOf = (signInId: string): string => `signIn-${signInId}`;

/** The sign-ins under way, and those that ended a moment ago, by id. */
export interface SignInStore {
  read(signInId: string): Promise<VersionedSignIn | EndedSignIn | null>;
  put(pending: PendingSignIn): Promise<void>;
  /** @returns the new version; null when it has changed since it was read: then nothing was */
  swap(pending: PendingSignIn, version: string): Promise<string | null>;
  /** Deletes everything secret of it. @returns false when it has changed since it was read: then nothing was */
  end(pending: PendingSignIn, version: string): Promise<boolean>;
  /** Those under way. */
  all(): Promise<readonly VersionedSignIn[]>;
  /** Deletes what is left of those whose time is over. */
  forgetEnded(now: number): Promise<void>;
}

export function signInStore(secrets: Pick<Secrets, 'readSecret' | 'putSecret' | 'swapSecret' | 'deleteSecrets' | 'secretOwners'>): SignInStore {
  const readFrom = async (owner: string): Promise<VersionedSignIn | EndedSignIn | null> => {
    const stored = await secrets.readSecret(owner, name);
    if (stored === null) return null;
    const signIn = JSON.parse(stored.value) as PendingSignIn | EndedSignIn;
    return 'ended' in signIn ? signIn : { pending: signIn, version: stored.version };
  };
  const readAll = async () => Promise.all((await secrets.secretOwners(name)).map(readFrom));
  const swap = (signIn: PendingSignIn | EndedSignIn, version: string) => secrets.swapSecret(ownerOf(signIn.signInId), name, JSON.stringify(signIn), version);
  return {
    read: (signInId) => readFrom(ownerOf(signInId)),
    put: (pending) => secrets.putSecret(ownerOf(pending.signInId), name, JSON.stringify(pending)),
    swap,
    end: async (pending, version) => (await swap(endedOf(pending), version)) !== null,
    all: async () => (await readAll()).filter((found) => found !== null && 'pending' in found),
    async forgetEnded(now) {
      for (const found of await readAll()) if (found !== null && 'ended' in found && found.expiresAt <= now) await secrets.deleteSecrets(ownerOf(found.signInId));
    },
  };
}

function endedOf({ signInId, serverId, serverName, origin, expiresAt, phase, secrets: { link, state } }: PendingSignIn): EndedSignIn {
  const reason = phase.kind === 'failing' ? phase.reason : null;
  return { signInId, serverId, serverName, origin, expiresAt, ended: { link: digestOf(link), state: digestOf(state) }, brought: broughtTo(phase), reason };
}
