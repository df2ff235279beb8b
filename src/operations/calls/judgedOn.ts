import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../commands/mcpServers/mcpServers.js';
import { mcpSignInDecider, mcpSignInStream } from '../../commands/mcpSignIn/mcpSignIn.js';
import { serverById } from '../../commands/mcpServers/mcpServersState.js';
import { toolSettingsDecider, toolSettingsStream } from '../../commands/toolSettings.js';
import { workspaceDecider, workspaceStream } from '../../commands/workspace.js';
import { catalogue } from '../../events/catalogue/catalogue.js';
import { comparePositions, type Position, type RecordedEvent } from '../../events/envelope.js';
import type { EventReader } from '../../events/eventStore.js';
import { definitionPolicies, iso, isoTime } from '../words.js';
import { foldedWhile } from '../foldedWhile.js';

/** What the streams said that a call was judged on, as far as its tool is concerned. */
export const judgement = z.object({
  workspace: z.enum(['unknown', 'open', 'closed']),
  /** Somebody's switch of the tool; null: nobody had set one, so its default counted. */
  switch: z.boolean().nullable(),
  /**
   * SHA-256 of the definition that the call went by; `showDefinition` gives its text. Null: nobody knows the tool, or it
   * is a built-in one in a call from before their definitions were recorded.
   */
  definition: z.string().nullable(),
  /**
   * Which rule held for definitions that changed; null for a built-in tool, which has no such rule. The deployment's is not on
   * record: `policy` is null where neither the call's fate nor the workspace's own rule tells it.
   */
  definitionPolicy: z.object({ policy: z.enum(definitionPolicies).nullable(), from: z.enum(['workspace', 'deployment']) }).nullable(),
  /** The server of a remote tool; null for a built-in one. */
  server: z
    .object({
      serverId: z.string(),
      name: z.string(),
      kind: z.string(),
      enabled: z.boolean(),
      /** Whether an admin had accepted this very definition. */
      accepted: z.boolean(),
      /** Whose account it was used with, where somebody had signed in. */
      account: z
        .object({
          signInId: z.string(),
          /** The subject of the admin who signed in. */
          signer: z.string(),
          since: isoTime,
          issuer: z.string(),
        })
        .nullable(),
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
  const upTo = (last: number | null) => ({ revision }: RecordedEvent) => last !== null && revision <= last;
  const [{ state: workspace }, { state: settings }, { state: servers }] = await Promise.all([
    foldedWhile(ledger, workspaceDecider, workspaceStream(event.workspace), upTo(basis.workspace)),
    foldedWhile(ledger, toolSettingsDecider, toolSettingsStream(event.workspace), upTo(basis.settings)),
    foldedWhile(ledger, mcpServersDecider, mcpServersStream(event.workspace), upTo(basis.servers)),
  ]);
  const server = route?.kind === 'mcp' ? serverById(servers, route.serverId) : undefined;
  const accepted = server !== undefined && route?.kind === 'mcp' && server.accepted.has(route.definition);
  const deployment = known.type === 'ToolCallRefused' ? (known.data.reasons.includes('definition_held') ? 'hold' : null) : accepted ? null : 'warn';
  return {
    workspace: workspace.status,
    switch: (tool === null ? undefined : settings.switches.get(tool)) ?? null,
    definition: route?.definition ?? null,
    definitionPolicy: server === undefined ? null : settings.policy === null ? { policy: deployment, from: 'deployment' } : { policy: settings.policy, from: 'workspace' },
    server:
      server === undefined || route?.kind !== 'mcp'
        ? null
        : {
            serverId: server.serverId,
            name: server.name,
            kind: server.kind,
            enabled: server.status === 'enabled',
            accepted,
            account: server.credential === 'oauth' ? await accountThen(ledger, server.serverId, event.position) : null,
          },
  };
}

/** The account on record when a call was let in. Another one would have taken the connection away from under it. */
async function accountThen(ledger: Pick<EventReader, 'readStream'>, serverId: string, at: Position): Promise<NonNullable<z.input<typeof judgement>['server']>['account']> {
  const { state } = await foldedWhile(ledger, mcpSignInDecider, mcpSignInStream(serverId), ({ position }) => comparePositions(position, at) < 0);
  if (state.grant === null) return null;
  const { signInId, signer, since, issuer } = state.grant;
  return { signInId, signer, since: iso(since), issuer };
}
