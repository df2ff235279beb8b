import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mcpServersDecider, mcpServersStream } from '../../../src/commands/mcpServers/mcpServers.js';
import { serverById, type McpServer } from '../../../src/commands/mcpServers/mcpServersState.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../src/commands/mcpSignIn/mcpSignIn.js';
import type { Origin } from '../../../src/commands/commandHandler.js';
import { makeCommandHandler } from '../../../src/commands/handler/ledgerCommandHandler.js';
import { catalogue } from '../../../src/events/catalogue/catalogue.js';
import type { EventStore } from '../../../src/events/eventStore.js';
import { memoryStore } from '../../../src/events/memory/memoryStore.js';
import { openAuthorizationFetch } from '../../../src/mcp/client/authorization/authorizationFetch.js';
import { authorizationUrl, newVerifier } from '../../../src/mcp/client/authorization/authorizationRequest.js';
import { chooseClient } from '../../../src/mcp/client/authorization/client/clientIdentity.js';
import { discover } from '../../../src/mcp/client/authorization/discovery/discover.js';
import { exchangeCode } from '../../../src/mcp/client/authorization/tokens/tokens.js';
import { clientStore } from '../../../src/mcp/client/grants/clientStore.js';
import { makeGrants } from '../../../src/mcp/client/grants/grants.js';
import { grantStore, type GrantStore, type StoredGrant } from '../../../src/mcp/client/grants/storedGrant.js';
import type { ClientLimits } from '../../../src/mcp/client/limits.js';
import { systemResolve, type Resolve } from '../../../src/platform/net/guardedLookup.js';
import type { Schedule } from '../../../src/platform/time/schedule.js';
import { openVault, type Vault } from '../../../src/platform/vault/vault.js';
import { reachServers } from '../../../src/tools/reachServers.js';
import type { RemoteServer } from '../../../src/tools/remoteTools.js';
import { countingIds, origin, testKey } from '../handlerUnderTest.js';
import { clientFor, never, patient } from '../mcpClientUnderTest.js';
import { newScriptedBrowser } from './browser/scriptedBrowser.js';

/** Nobody listens there: the browser stops before it. */
const callback = 'http://127.0.0.1:1/callback';

/** What keepers on one vault have in common besides. */
interface Shared {
  readonly clock: { time: number; now: () => number };
  readonly ledger: EventStore;
  readonly urls: Map<string, string>;
}

interface KeeperOptions {
  /** Where the vault lies. */
  readonly directory: string;
  /** The first keeper, whose ledger, clock and servers are used as well. */
  readonly beside?: Shared;
  /** What happens while it is waited for another one's lease; by default its time passes. */
  readonly onWait?: (ms: number) => unknown;
  readonly resolve?: Resolve;
  /** In place of the vault's leases. */
  readonly lease?: Vault['takeLease'];
  readonly tight?: Partial<ClientLimits>;
  /** In place of the vault's grants. */
  readonly stored?: GrantStore;
  readonly schedule?: Schedule;
}

export type AccountKeeper = ReturnType<typeof openKeeper>;

/** What one process keeps accounts with: a real vault, the command handler over a store in memory, the MCP client and what reaches servers. */
export function openKeeper({ directory, beside, onWait, lease, resolve = systemResolve, tight = {}, schedule = () => () => undefined, stored: given }: KeeperOptions) {
  const clock: Shared['clock'] = beside?.clock ?? { time: 5_000, now: () => clock.time };
  const series = beside === undefined ? '8000' : '9000';
  const ledger: EventStore = beside?.ledger ?? memoryStore({ clock });
  const keys = { keyOf: async (subject: string) => testKey(subject) };
  const handler = makeCommandHandler({ store: ledger, keys, catalogue, clock, newId: countingIds(series), runner: 'runner-1', cacheSize: 100 });
  const vault = openVault({ file: join(directory, 'keys.db'), masterKeyFile: join(directory, 'master.key'), masterKey: null, clock });
  const authorization = { localReach: { localOrigins: new Set<string>(), ownPorts: new Set<number>() }, resolve, version: '0.0.0-test' };
  const stored = given ?? grantStore(vault);
  const urls = beside?.urls ?? new Map<string, string>();
  const wait = async (ms: number): Promise<void> => {
    if (onWait === undefined) clock.time += ms;
    await onWait?.(ms);
    await nextTurn();
  };
  const isErased = async (subject: string): Promise<boolean> => (await vault.keyOf(subject)) === null;
  const newId = countingIds(beside === undefined ? 'a000' : 'a100');
  const grants = makeGrants({ store: stored, clients: clientStore(vault), secrets: lease === undefined ? vault : { ...vault, takeLease: lease }, handler, clock, newId, wait, schedule, authorization, isErased, urlOf: async (serverId) => urls.get(serverId) ?? null });
  const remote = clientFor('', {
    resolve,
    tight,
    lookup: async ({ workspace, serverId }) => {
      const url = urls.get(serverId) ?? '';
      const account = await grants.accountOf({ workspace, serverId, url });
      return { url, token: null, ...(account !== null && { account }) };
    },
  });
  const reach = reachServers({ handler, remote, clock, cooldownMs: 300_000 });

  return {
    clock,
    ledger,
    handler,
    vault,
    stored,
    urls,
    grants,
    remote,
    reach,
    authorization,

    /** Registers a server. */
    async register(serverId: string, url: string): Promise<RemoteServer> {
      urls.set(serverId, url);
      const register = { type: 'Register', serverId, name: `server ${serverId.slice(-2)}`, kind: 'generic', scheme: 'http', host: '127.0.0.1', port: 1, credential: 'none', limit: 100 } as const;
      await handler.execute(mcpServersDecider, mcpServersStream('local'), [register], origin);
      return { workspace: 'local', serverId, name: register.name };
    },

    /** Puts an account in use, as a sign-in does. */
    async use({ serverId }: RemoteServer, grant: StoredGrant, scopes: readonly string[]): Promise<void> {
      const { signInId, signer, tokens, server } = grant;
      await stored.swap(serverId, grant, (await stored.read(serverId))?.version ?? null);
      const start = { type: 'Start', serverId, signInId, issuer: server.issuer, client: 'registered', scopes } as const;
      const complete = { type: 'Complete', serverId, signInId, signer, scopes: tokens.scopes ?? scopes, audience: 'everyone', renewable: tokens.refreshToken !== null, expiresAt: null } as const;
      await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [start, complete], origin);
      await handler.execute(mcpServersDecider, mcpServersStream('local'), [{ type: 'ReplaceCredential', serverId, credential: 'oauth' }], origin);
      await remote.disconnect(serverId);
    },

    /** Ends the account of a server. */
    end: (server: RemoteServer & { readonly url: string }, reason: string, by: Origin) => grants.alone(server.serverId, (held) => held.end(server, { reason, origin: by })),

    signer: () => vault.subjectFor({ kind: 'discord', id: '1' }),

    /** Connects and calls a tool, as a turn does. */
    async call(server: RemoteServer, tool: string, args: Record<string, string> = {}) {
      const reached = await reach.reach(server, never);
      return reached.ok ? remote.call(server, tool, args, patient) : reached;
    },

    async serverOf({ serverId }: RemoteServer): Promise<McpServer | undefined> {
      return serverById((await handler.load(mcpServersDecider, mcpServersStream('local'))).state, serverId);
    },

    async signInState({ serverId }: RemoteServer) {
      return (await handler.load(mcpSignInDecider, mcpSignInStream(serverId))).state;
    },

    /** What is on record of a server's accounts and of its connection, in order. */
    async onRecord({ serverId }: RemoteServer): Promise<readonly { readonly type: string; readonly data: { readonly [name: string]: unknown } }[]> {
      const all = await ledger.readAll(null, 10_000);
      const read = all.map(({ type, data }) => ({ type, data: JSON.parse(Buffer.from(data).toString()) as { readonly [name: string]: unknown } }));
      return read.filter(({ data }) => data['serverId'] === serverId);
    },

    async close(): Promise<void> {
      await remote.close();
      await reach.settled();
      await grants.close();
      vault.close();
    },
  };
}

/** Signs in at a server as an admin does, but without our own pages. */
export async function grantFor(keeper: AccountKeeper, url: string, scopes: readonly string[]): Promise<StoredGrant> {
  const target = { url, workspace: 'local' };
  const { resource, server } = await discover(target, null, keeper.authorization, never);
  const fetch = openAuthorizationFetch(target, keeper.authorization);
  try {
    const wish = { server, known: null, given: null, metadataDocumentUrl: null, redirectUri: callback, scopes: ['tools', 'admin'], version: '0', now: 0 };
    const client = await chooseClient(wish, fetch, never);
    const verifier = newVerifier(randomBytes);
    const browser = newScriptedBrowser();
    const consent = await browser.open(authorizationUrl({ server, client, redirectUri: callback, state: 'state', verifier, scopes, resource }));
    const returned = await browser.submit(consent, { answer: 'allow' }, { stopBefore: callback });
    const code = new URL(returned.url).searchParams.get('code') ?? '';
    const tokens = await exchangeCode({ server, client, redirectUri: callback, code, verifier, resource, now: 0 }, fetch, never);
    return { signInId: nextSignInId(), signer: await keeper.signer(), workspace: 'local', resource, server, client, tokens };
  } finally {
    await fetch.close();
  }
}

/** Ids of sign-ins, in order. */
export const nextSignInId = countingIds('b200');
