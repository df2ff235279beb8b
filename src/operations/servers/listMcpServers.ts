import { z } from 'zod';
import { hiddenTools, hiddenToolsOf } from './definitions/hiddenTools.js';
import { operation } from '../operation.js';
import { iso, isoTime, workspaceId } from '../words.js';

/** The registered servers of a workspace, with the tool names last found. */
export const listMcpServers = operation({
  name: 'listMcpServers',
  reach: 'views',
  input: z.object({ workspace: workspaceId }),
  output: z.object({
    servers: z.array(
      z.object({
        serverId: z.string(),
        name: z.string(),
        kind: z.string(),
        /** Scheme, host and port; the full URL may hold a secret and is never shown. */
        address: z.string(),
        credential: z.string(),
        state: z.enum(['enabled', 'disabled', 'removed']),
        registeredAt: isoTime,
        /** Null: never discovered, which is not the same as none. */
        toolNames: z.array(z.string()).nullable(),
        moreTools: z.int(),
        /** Of an enabled server: tools hidden because another one, or the product, uses the name. */
        hidden: hiddenTools,
      }),
    ),
  }),
  async run({ views, registry, definitionPolicy }, { workspace }) {
    const [servers, snapshots, view] = await Promise.all([
      views.query('mcpServers', { workspace }),
      views.query('toolNameSnapshots', { workspace }),
      views.query('toolRegistry', { workspace }),
    ]);
    const hidden = hiddenToolsOf(view, registry, definitionPolicy);
    const snapshotOf = new Map(snapshots.map((snapshot) => [snapshot.serverId, snapshot]));
    return {
      servers: servers
        .filter(({ state }) => state !== 'removed')
        .map(({ serverId, name, kind, scheme, host, port, credential, state, registeredAt }) => {
          const snapshot = snapshotOf.get(serverId);
          const names = snapshot?.names ?? null;
          return {
            serverId,
            name,
            kind,
            address: `${scheme}://${host}:${port}`,
            credential,
            state,
            registeredAt: iso(registeredAt),
            toolNames: names === null ? null : [...names],
            moreTools: snapshot?.more ?? 0,
            hidden: hidden.get(serverId) ?? [],
          };
        }),
    };
  },
});
