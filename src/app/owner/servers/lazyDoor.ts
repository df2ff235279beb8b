import type { SignInDoor } from '../../../operations/servers/signIn/signInDoor.js';

/** Where browsers come in: told by whoever listens already, or opened when somebody first signs in. */
export interface LazyDoor {
  readonly get: () => Promise<SignInDoor>;
  readonly use: (door: SignInDoor) => void;
}

export function lazyDoor(open: () => Promise<SignInDoor>): LazyDoor {
  let opened: Promise<SignInDoor> | null = null;
  return {
    get: () => (opened ??= open()),
    use: (door) => {
      opened = Promise.resolve(door);
    },
  };
}
