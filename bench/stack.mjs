import { mkdirSync } from 'node:fs';
import { z } from 'zod';
import { dataFiles } from '../dist/app/dataFiles.js';
import { serverSecrets } from '../dist/app/owner/servers/serverSecrets.js';
import { makeCommandHandler } from '../dist/commands/handler/ledgerCommandHandler.js';
import { makeLedgerRecords } from '../dist/commands/toolCall/ledgerRecords.js';
import { workspaceDecider, workspaceStream } from '../dist/commands/workspace.js';
import { catalogue } from '../dist/events/catalogue/catalogue.js';
import { openSqliteStore } from '../dist/events/sqlite/openSqliteStore.js';
import { defaultClientLimits } from '../dist/mcp/client/limits.js';
import { makeRemoteTools } from '../dist/mcp/client/remoteServers.js';
import { schedule, scheduleInBackground } from '../dist/platform/time/schedule.js';
import { systemClock } from '../dist/platform/time/clock.js';
import { newId } from '../dist/platform/ids.js';
import { systemResolve } from '../dist/platform/net/guardedLookup.js';
import { openVault } from '../dist/platform/vault/vault.js';
import { openViews } from '../dist/projections/projectionViews.js';
import { builtInTools } from '../dist/tools/builtin/all.js';
import { makeDispatch } from '../dist/tools/dispatch.js';
import { reachServers } from '../dist/tools/reachServers.js';
import { recordBuiltIns } from '../dist/tools/recordBuiltIns.js';
import { makeToolRegistry } from '../dist/tools/registry.js';

/** The least a tool with effects can do, so that what is measured is the ledger. */
const noteDown = {
  name: 'note_down',
  title: 'Note down',
  description: 'Keeps a line in memory until the next one comes.',
  category: 'utility',
  parameters: z.object({ line: z.string() }),
  ledger: { line: 'personal' },
  effects: 'effects',
  onByDefault: true,
  execute: ({ line }) => ({ success: true, data: { length: line.length } }),
};

/** What threads need to read a data directory and its boxes. */
export function ledgerAccess(directory) {
  const files = dataFiles(directory);
  return {
    engine: { kind: 'sqlite', file: files.ledger },
    vault: { file: files.keys, masterKeyFile: files.masterKey, masterKey: null },
    directory: files.readModels,
    callText: true,
  };
}

/**
 * The product's parts over a data directory, put together as its owner puts them together, with one more tool.
 * @param options `localOrigins`: where every workspace may have servers on this machine
 * @returns `{store, views, handler, dispatch, remote, secrets, caller, origin, close}`
 */
export async function openStack(directory, { localOrigins = new Set() } = {}) {
  mkdirSync(directory, { recursive: true });
  const files = dataFiles(directory);
  const vault = openVault({ file: files.keys, masterKeyFile: files.masterKey, masterKey: null, clock: systemClock });
  const store = await openSqliteStore({ file: files.ledger, clock: systemClock });
  const note = (message) => process.stderr.write(`${message}\n`);
  const views = await openViews({ ...ledgerAccess(directory), store, note });
  const handler = makeCommandHandler({ store, keys: vault, catalogue, clock: systemClock, newId, runner: newId(), cacheSize: 10_000, soleWriter: true });
  const actor = await vault.subjectFor({ kind: 'operator', id: 'local' });
  const origin = { actor, door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null };
  await handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Open', kind: 'local' }], origin);
  const secrets = serverSecrets(vault);
  const registry = makeToolRegistry([...builtInTools, noteDown]);
  await recordBuiltIns(handler, registry, origin);
  const remote = makeRemoteTools({
    lookup: ({ serverId }) => secrets.get(serverId),
    resolve: systemResolve,
    schedule: scheduleInBackground,
    clock: systemClock,
    reach: { localOrigins, ownPorts: new Set() },
    limits: defaultClientLimits,
    version: '0.0.0',
  });
  const reach = reachServers({ handler, remote, clock: systemClock, cooldownMs: 300_000 });
  const dispatch = makeDispatch({
    handler,
    registry,
    remote,
    reach,
    keys: vault,
    records: makeLedgerRecords({ reader: store, keys: vault, catalogue }),
    writable: () => store.writable(),
    clock: systemClock,
    newId,
    schedule,
    resolve: systemResolve,
    randomInt: (below) => Math.floor(Math.random() * below),
    policy: 'warn',
    timeouts: { builtInMs: 300_000, remoteMs: 30_000 },
    warn: (fields, message) => note(`${message} ${JSON.stringify(fields)}`),
  });
  return {
    store,
    views,
    handler,
    dispatch,
    remote,
    secrets,
    origin,
    caller: { actor, door: 'cli', onBehalfOf: null },
    async close() {
      await dispatch.drain();
      await remote.close();
      await reach.settled();
      await views.close();
      await store.close();
      vault.close();
    },
  };
}

/** One call of a tool in the workspace `local`; throws when it did not succeed. */
export async function callOnce({ dispatch, caller }, tool, args) {
  const answer = await dispatch.call({ tool, arguments: args, workspace: 'local', callId: null, channel: null, roles: [], turn: null }, caller, never);
  if (!answer.success) throw new Error(`${tool} did not succeed: ${JSON.stringify(answer)}`);
  return answer;
}

const never = new globalThis.AbortController().signal;
