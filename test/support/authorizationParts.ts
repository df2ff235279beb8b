import type { AuthorizationParts } from '../../src/mcp/client/authorization/authorizationFetch.js';
import { systemResolve } from '../../src/platform/net/guardedLookup.js';

/** What signing in works with where nothing is listed as local and names mean what they mean to the machine. */
export const plainParts: AuthorizationParts = { localReach: { localOrigins: new Set(), ownPorts: new Set() }, resolve: systemResolve, version: '0.0.0-test' };
