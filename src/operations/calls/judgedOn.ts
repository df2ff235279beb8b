import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../commands/mcpServers/mcpServersState.js';
import type { Decider } from '../../commands/decider.js';
import { toolSettingsDecider, toolSettingsStream } from '../../commands/toolSettings.js';
import { workspaceDecider, workspaceStream } from '../../commands/workspace.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import type { RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';

const pageSize = 500;

/** What the streams said that a call was judged on, as far as its tool is concerned. */
export const judgement = z.object({
  workspace: z.enum(['unknown', 'open', 'closed']),
  /** Somebody's switch of the tool; null: nobody had set one, so its default counted. */
  switch: z.boolean().nullable(),
  /** The server of a remote tool; null for a built-in one. */
  server: z
    .object({
      serverId: z.string(),
      name: z.string(),
      kind: z.string(),
      enabled: z.boolean(),
      /** SHA-256 of the definition that the call went by; `showDefinition` gives its text. */
      definition: z.string(),
      /** Whether an admin had accepted this very definition. */
      accepted: z.boolean(),
    })
    .nullable(),
});

/**
 * What a call was judged on, read again from the streams up to the revisions it names.
 * @param events of one call, from its beginning
 * @returns null when its beginning does not say
 */
export async function judgedOn(ledger: Pick<EventReader, 'readStream'>, [event]: readonly RecordedEvent[]): Promise<z.input<typeof judgement> | null> {
  if (event === undefined) return null;
  const known = catalogue.decode(event);
  if (known.type !== 'ToolCallAdmitted' && known.type !== 'ToolCallRefused') return null;
  const { basis, tool, route } = known.data;
  const [workspace, settings, servers] = await Promise.all([
    foldedUpTo(ledger, workspaceDecider, workspaceStream(event.workspace), basis.workspace),
    foldedUpTo(ledger, toolSettingsDecider, toolSettingsStream(event.workspace), basis.settings),
    foldedUpTo(ledger, mcpServersDecider, mcpServersStream(event.workspace), basis.servers),
  ]);
  const server = route?.kind === 'mcp' ? serverById(servers, route.serverId) : undefined;
  return {
    workspace: workspace.status,
    switch: (tool === null ? undefined : settings.switches.get(tool)) ?? null,
    server:
      server === undefined || route?.kind !== 'mcp'
        ? null
        : {
            serverId: server.serverId,
            name: server.name,
            kind: server.kind,
            enabled: server.status === 'enabled',
            definition: route.definition,
            accepted: server.accepted.has(route.definition),
          },
  };
}

/** @param revision the last one that counts; null: none */
async function foldedUpTo<State, Event extends { readonly type: string }>(
  ledger: Pick<EventReader, 'readStream'>,
  { initialState, evolve }: Pick<Decider<never, State, Event, never>, 'initialState' | 'evolve'>,
  stream: string,
  revision: number | null,
): Promise<State> {
  let state = initialState();
  for (let from = 0; revision !== null && from <= revision; ) {
    const page = await ledger.readStream(stream, from, Math.min(pageSize, revision + 1 - from));
    if (page.length === 0) break;
    for (const event of page) state = evolve(state, catalogue.decode(event) as unknown as Event, event);
    from += page.length;
  }
  return state;
}
