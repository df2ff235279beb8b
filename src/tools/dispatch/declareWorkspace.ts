import type { RecordedToolDefinition } from '../../events/catalogue/toolDefinition.js';
import { declareTools, type DeclaredVerdict } from '../availability.js';
import type { Asker, WorkspaceFacts } from '../availability/facts.js';
import { makeWorld } from '../availability/world.js';
import { loadWorkspaceFacts } from '../workspaceFacts.js';
import type { LedgerRecords } from './repeating/ledgerRecords.js';
import type { ReasonCode } from '../availability/reasons.js';
import type { DispatchParts } from './parts.js';

/** An enabled server whose tools nobody knows yet, which is not the same as none. */
export interface UndiscoveredServer {
  readonly serverId: string;
  readonly serverName: string;
  readonly reason: ReasonCode;
}

/** Judges every tool of a workspace and adds what models are told of it. Dials nothing. */
export async function declareWorkspace(
  { handler, registry, policy, records, clock }: Pick<DispatchParts, 'handler' | 'registry' | 'policy' | 'records' | 'clock'>,
  workspace: string,
  asker: Asker,
): Promise<{ readonly tools: readonly DeclaredVerdict[]; readonly undiscovered: readonly UndiscoveredServer[] }> {
  const facts = await loadWorkspaceFacts(handler, workspace, clock.now());
  const texts = await textsOf(facts, records);
  return {
    tools: declareTools(makeWorld(facts, registry, policy, asker), registry, (hash) => texts.get(hash) ?? null),
    undiscovered: undiscoveredServers(facts),
  };
}

/** Enabled servers whose tools were never discovered. */
export function undiscoveredServers(facts: WorkspaceFacts): readonly UndiscoveredServer[] {
  const servers = (facts.servers ?? []).filter((server) => server.enabled && server.tools === null);
  return servers.map(({ serverId, name, outOfUse }) => ({ serverId, serverName: name, reason: outOfUse?.reason ?? 'tools_unknown' }));
}

/** A text that cannot be read is missing for its own tool only. */
async function textsOf(facts: WorkspaceFacts, records: LedgerRecords): Promise<ReadonlyMap<string, RecordedToolDefinition>> {
  const hashes = new Set((facts.servers ?? []).flatMap((server) => server.tools ?? []).map((tool) => tool.definition));
  const texts = new Map<string, RecordedToolDefinition>();
  await Promise.all(
    [...hashes].map(async (hash) => {
      const text = await records.definition(hash).catch(() => null);
      if (text !== null) texts.set(hash, text);
    }),
  );
  return texts;
}
