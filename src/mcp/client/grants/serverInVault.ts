import type { RemoteServer } from '../../../tools/remoteTools.js';

/** A registered server and its URL, which only the vault knows. */
export type ServerInVault = Pick<RemoteServer, 'workspace' | 'serverId'> & { readonly url: string };

/** A server that may have lost its URL: nobody can be told of its account's end then. */
export type ServerToEnd = Omit<ServerInVault, 'url'> & { readonly url: string | null };
