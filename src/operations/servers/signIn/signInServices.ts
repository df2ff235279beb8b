import type { AuthorizationParts } from '../../../mcp/client/authorization/authorizationFetch.js';
import type { ClientStore } from '../../../mcp/client/grants/clientStore.js';
import type { Grants } from '../../../mcp/client/grants/grants.js';
import type { GrantStore } from '../../../mcp/client/grants/storedGrant.js';
import type { SignInStore } from './pendingSignIn.js';
import type { Pressed } from './pages/sharedPresses.js';
import type { SignInOutcomes } from './signInOutcomes.js';

/** Where browsers reach the pages of this program. */
export interface SignInDoor {
  /** E.g. `http://127.0.0.1:7411`, or the public URL. */
  readonly origin: string;
  /** Where what we say of ourselves lies for authorization servers; null when they cannot reach us. */
  readonly metadataDocument: string | null;
  /** Whether it stays open when nobody waits for a sign-in any more. */
  readonly stays: boolean;
}

/** What signing in works with. */
export interface SignInServices {
  readonly pending: SignInStore;
  readonly outcomes: SignInOutcomes;
  readonly pressed: Pressed;
  readonly clients: ClientStore;
  readonly stored: GrantStore;
  readonly grants: Grants;
  readonly authorization: AuthorizationParts;
  readonly randomBytes: (size: number) => Buffer;
  /** Opens it, where it is not open yet. */
  readonly door: () => Promise<SignInDoor>;
}
