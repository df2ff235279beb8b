import type { RemoteServer } from '../../../tools/remoteTools.js';

/** A registered server and its URL, which only the vault knows. */
export type ServerInVault = Pick<RemoteServer, 'workspace' | 'serverId'> & { readonly url: string };
