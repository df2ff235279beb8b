import type { AuthorizationParts } from '../../../mcp/client/authorization/authorizationFetch.js';
import type { ClientStore } from '../../../mcp/client/grants/clientStore.js';
import type { Grants } from '../../../mcp/client/grants/grants.js';
import type { GrantStore } from '../../../mcp/client/grants/storedGrant.js';
import type { SignInStore } from './pending/signInStore.js';
import type { Pressed } from './sharedPresses.js';
import type { SignInDoor } from './signInDoor.js';
import type { SignInOutcomes } from './signInOutcomes.js';

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
