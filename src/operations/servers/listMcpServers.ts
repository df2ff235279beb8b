import { z } from 'zod';
import { isNarrow, lackedScopes, lacksText } from '../../commands/mcpSignIn/narrowAccount.js';
import { othersNames } from '../../platform/text/othersNames.js';
import { hiddenTools } from './definitions/hiddenTools.js';
import { hiddenToolsOf } from './definitions/hiddenToolsNow.js';
import { anybody, makeWorld } from '../../tools/availability/world.js';
import type { ServerView } from '../../projections/mcpServers/queries.js';
import { factsFromViews } from '../../tools/workspaceFacts.js';
import { operation } from '../operation.js';
import { operatorOf } from '../operatorOf.js';
import { iso, isoTime, workspaceId } from '../words.js';
import { requireOpened } from '../workspaces/requireOpened.js';
import { reasonOfSignIn } from './signIn/reasonOfSignIn.js';
import { serversSeen } from './serversSeen.js';
import { standingOf, standings } from './standingText.js';

const listedServer = z.object({
  serverId: z.string(),
  name: z.string(),
  kind: z.string(),
  /** Scheme, host and port; the full URL may hold a secret and is never shown. */
  address: z.string(),
  credential: z.string(),
  /** The account its tools are used with; null when nobody signed in. */
  account: z
    .object({
      /** The subject of the admin who signed in. */
      signer: z.string(),
      since: isoTime,
      issuer: z.string(),
      /** Null: nobody said what was granted. */
      scopes: z.array(z.string()).nullable(),
      renewable: z.boolean(),
      /** Why it cannot be used until somebody signs in again, or what it is not good for, in words; null while it can. */
      lapsed: z.string().nullable(),
      /** Whether it is still good, and only not for all that was wanted of it. */
      narrow: z.boolean(),
      /** The scopes that are missing then. */
      missing: z.array(z.string()),
    })
    .nullable(),
  state: z.enum(standings),
  /** Since when, how often, why, until when and what to do; null when there is nothing to say. */
  standing: z.string().nullable(),
  registeredAt: isoTime,
  /** Null: never discovered, which is not the same as none. */
  toolNames: z.array(z.string()).nullable(),
  moreTools: z.int(),
  /** The server's own names of tools that are switched off. */
  switchedOff: z.array(z.string()),
  /** Null: everyone, everywhere, or no one person. */
  audience: z.object({ roles: z.array(z.string()).nullable(), channels: z.array(z.string()).nullable(), person: z.string().nullable() }),
  /** Of an enabled server: tools hidden because another one, or the product, uses the name. */
  hidden: hiddenTools,
  /** Of an enabled server: tools that the definition policy keeps out until somebody accepts them. */
  held: z.array(z.string()),
});

/** The registered servers of a workspace, how they stand, and the tool names last found. Dials nothing. */
export const listMcpServers = operation({
  name: 'listMcpServers',
  reach: 'views',
  input: z.object({ workspace: workspaceId }),
  output: z.object({
    /** The subject that stands for the operator of this machine; null: who asks does not know. */
    operator: z.string().nullable(),
    servers: z.array(listedServer),
  }),
  async run(services, { workspace }, { caller }) {
    const { views, registry: builtIns, definitionPolicy, clock } = services;
    const [servers, snapshots, registry] = await Promise.all([
      serversSeen(services, workspace),
      views.query('toolNameSnapshots', { workspace }),
      views.query('toolRegistry', { workspace }),
    ]);
    requireOpened(workspace, registry.state);
    const now = clock.now();
    const world = makeWorld(factsFromViews(registry, servers, now), builtIns, definitionPolicy, anybody);
    const hidden = hiddenToolsOf(world, builtIns);
    const snapshotOf = new Map(snapshots.map((snapshot) => [snapshot.serverId, snapshot]));
    const registered = new Map(registry.servers.map((server) => [server.serverId, server]));
    return {
      operator: operatorOf(caller),
      servers: servers
        .filter(({ state }) => state !== 'removed')
        .map((server) => {
          const { serverId, name, kind, scheme, host, port, credential, registeredAt } = server;
          const snapshot = snapshotOf.get(serverId);
          const { state, text } = standingOf(server, now, workspace);
          const names = snapshot?.names ?? null;
          const known = registered.get(serverId);
          return {
            serverId,
            name,
            kind,
            address: `${scheme}://${host}:${port}`,
            credential,
            account: accountOf(server),
            state,
            standing: text,
            registeredAt: iso(registeredAt),
            toolNames: names === null ? null : [...names],
            moreTools: snapshot?.more ?? 0,
            switchedOff: [...(known?.switchedOff ?? [])],
            audience: { roles: copyOf(known?.audience.roles), channels: copyOf(known?.audience.channels), person: known?.audience.person ?? null },
            hidden: hidden.get(serverId) ?? [],
            held: known === undefined || !known.enabled || world.policy === 'warn' ? [] : (known.tools ?? []).filter(({ accepted }) => !accepted).map((tool) => tool.name),
          };
        }),
    };
  },
});

function accountOf({ grant }: ServerView): z.input<typeof listedServer>['account'] {
  if (grant === null) return null;
  const { signer, since, issuer, scopes, renewable, lapsed } = grant;
  const missing = [...lackedScopes(grant)];
  const lapsedText = isNarrow(grant) ? lacksText(othersNames(missing)) : lapsed === null ? null : reasonOfSignIn(lapsed);
  return { signer, since: iso(since), issuer, scopes: copyOf(scopes), renewable, lapsed: lapsedText, narrow: isNarrow(grant), missing };
}

function copyOf(ids: readonly string[] | null | undefined): string[] | null {
  return ids === undefined || ids === null ? null : [...ids];
}
