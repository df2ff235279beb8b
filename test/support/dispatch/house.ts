import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { makeLedgerRecords } from '../../../src/commands/toolCall/ledgerRecords.js';
import { makeCommandHandler } from '../../../src/commands/handler/ledgerCommandHandler.js';
import type { Origin } from '../../../src/commands/commandHandler.js';
import { mcpServersDecider, mcpServersStream, type McpServersCommand } from '../../../src/commands/mcpServers/mcpServers.js';
import { toolCallStream } from '../../../src/commands/toolCall/toolCall.js';
import { toolSettingsDecider, toolSettingsStream, type DefinitionPolicy } from '../../../src/commands/toolSettings.js';
import { workspaceDecider, workspaceStream } from '../../../src/commands/workspace.js';
import { catalogue } from '../../../src/events/catalogue/catalogue.js';
import { memoryStore } from '../../../src/events/memory/memoryStore.js';
import type { Resolve } from '../../../src/platform/net/guardedLookup.js';
import { newId } from '../../../src/platform/ids.js';
import type { CallRequest, Caller } from '../../../src/tools/call.js';
import { makeDispatch } from '../../../src/tools/dispatch.js';
import { recordListing } from '../../../src/tools/recordListing.js';
import { makeToolRegistry } from '../../../src/tools/registry.js';
import { reachServers } from '../../../src/tools/reachServers.js';
import type { RemoteTools, ToolListing } from '../../../src/tools/remoteTools.js';
import type { BuiltInTool } from '../../../src/tools/tool.js';
import { gatedStore } from './gatedStore.js';
import { manualTimers } from './manualTimers.js';
import { listingOf, scriptedRemote } from './scriptedRemote.js';

/** The one who calls in tests. */
export const caller: Caller = { actor: '0190a000-0000-7000-8000-00000000000a', door: 'cli', onBehalfOf: null };

const origin: Origin = { actor: caller.actor, door: 'cli', onBehalfOf: null, workspace: 'local', correlation: null, causation: null };

/** A built-in tool with one text parameter; give what matters to the test. */
export function builtInTool(given: Partial<BuiltInTool> & Pick<BuiltInTool, 'name'>): BuiltInTool {
  return {
    title: given.name,
    description: `Does ${given.name}.`,
    category: 'utility',
    parameters: z.object({ text: z.string().optional() }),
    ledger: { text: 'value' },
    effects: 'effects',
    onByDefault: true,
    execute: () => ({ success: true, data: { did: given.name } }),
    ...given,
  };
}

export interface HouseOptions {
  readonly tools?: readonly BuiltInTool[];
  readonly remote?: RemoteTools;
  readonly policy?: DefinitionPolicy;
  /** What an earlier process left: the same ledger, keys and clock, nothing else. */
  readonly after?: Left;
  readonly resolve?: Resolve;
}

interface Left {
  readonly time: { now: number };
  readonly store: ReturnType<typeof gatedStore>;
  readonly keyring: Map<string, Uint8Array | null>;
}

/** Dispatch with everything real around it but the remote servers: in-memory ledger, handler, redaction, boxes. */
export async function openHouse({ tools = [], remote = scriptedRemote(listingOf()), policy = 'warn', after, resolve = async () => [{ address: '93.184.215.14', family: 4 }] }: HouseOptions = {}) {
  const time = after?.time ?? { now: 1_800_000_000_000 };
  const clock = { now: () => time.now };
  const store = after?.store ?? gatedStore(memoryStore({ clock }));
  const keyring: Left['keyring'] = after?.keyring ?? new Map<string, Uint8Array | null>();
  const keys = {
    keyOf: async (subject: string) => {
      if (!keyring.has(subject)) keyring.set(subject, randomBytes(32));
      return keyring.get(subject) ?? null;
    },
  };
  const handler = makeCommandHandler({ store, keys, catalogue, clock, newId, runner: 'runner-1', cacheSize: 1_000, soleWriter: true });
  const records = makeLedgerRecords({ reader: store, keys, catalogue });
  const timers = manualTimers();
  const warnings: string[] = [];
  const reach = reachServers({ handler, remote, clock, cooldownMs: 300_000 });
  const registry = makeToolRegistry(tools);
  const dispatch = makeDispatch({
    handler,
    registry,
    remote,
    reach,
    keys,
    records,
    writable: () => store.writable(),
    clock,
    newId,
    schedule: timers.schedule,
    resolve,
    randomInt: () => 0,
    policy,
    timeouts: { builtInMs: 300_000, remoteMs: 30_000 },
    warn: (_fields, message) => warnings.push(message),
  });
  const servers = (command: McpServersCommand) => handler.execute(mcpServersDecider, mcpServersStream('local'), [command], origin);
  await handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Open', kind: 'local' }], origin);
  store.appends.length = 0;

  return {
    dispatch,
    reach,
    registry,
    handler,
    store,
    keyring,
    timers,
    warnings,
    time,
    /** Calls as the operator in workspace `local`. */
    call: (tool: string, args: CallRequest['arguments'] = {}, more: Partial<CallRequest> = {}, signal = new AbortController().signal) =>
      dispatch.call({ tool, arguments: args, workspace: 'local', callId: null, channel: null, roles: [], turn: null, ...more }, caller, signal),
    /** What is recorded of a call, boxes opened. */
    recorded: (callId: string) => records.callEvents(toolCallStream(callId)),
    /** Types of the events recorded of a call, without the family's name. */
    life: async (callId: string) => (await records.callEvents(toolCallStream(callId))).map((event) => event.type.replace('ToolCall', '')),
    erase: (subject: string) => keyring.set(subject, null),
    switchTool: (tool: string, on: boolean) =>
      handler.execute(toolSettingsDecider, toolSettingsStream('local'), [{ type: 'SetSwitch', tool, on }], origin),
    setPolicy: (policy: DefinitionPolicy | null) =>
      handler.execute(toolSettingsDecider, toolSettingsStream('local'), [{ type: 'SetDefinitionPolicy', policy }], origin),
    closeWorkspace: () => handler.execute(workspaceDecider, workspaceStream('local'), [{ type: 'Close' }], origin),
    servers,
    /** Registers a server; with a listing, it was discovered as well. */
    addServer: async (name: string, listing: ToolListing | null, kind = 'generic') => {
      const serverId = newId();
      const registration = { scheme: 'http', host: '127.0.0.1', port: 3001, credential: 'none', limit: 10 } as const;
      await servers({ type: 'Register', serverId, name, kind, ...registration });
      if (listing !== null) await recordListing(handler, listing, serverId, origin);
      return serverId;
    },
  };
}
