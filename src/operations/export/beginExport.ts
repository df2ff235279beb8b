import { z } from 'zod';
import { ledgerPrivacyDecider, ledgerPrivacyStream } from '../../commands/ledgerPrivacy.js';
import { toolSettingsDecider, toolSettingsStream } from '../../commands/toolSettings.js';
import { workspaceDecider, workspaceStream } from '../../commands/workspace.js';
import type { Position } from '../../events/envelope.js';
import { Fault } from '../../platform/fault.js';
import { conditionsOf, callConditions } from '../calls/callConditions.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import type { OwnerServices } from '../services.js';
import { requireOpened } from '../workspaces/requireOpened.js';
import { callPart, recordedConditions, resolvedConditions } from './conditions.js';

/**
 * Gets an export ready: settles where it ends, lets the views it asks see everything up to there, and records that
 * personal values will be opened, before any is.
 */
export const beginExport = operation({
  name: 'beginExport',
  reach: 'owner',
  input: z.object({ ...callConditions, open: z.boolean() }),
  output: z.object({
    exportId: z.uuid(),
    conditions: resolvedConditions,
    /** Position of the newest event now; what comes later is not part of the export. */
    end: z.string(),
  }),
  async run({ store, views, people, handler, newId }, { open, ...given }, { caller, signal }) {
    const conditions = await conditionsOf(people, given);
    if (conditions === null) throw new Fault('failed', 'person_unknown', 'Nobody with this id was ever met, so there is nothing to export.');
    const head = await store.head();
    if (head === null) throw new Fault('failed', 'ledger_empty', 'The ledger is empty; there is nothing to export.');
    const asked = [...(Object.keys(callPart(conditions)).length > 0 ? ['toolCallLog'] : []), ...(conditions.text === undefined ? [] : ['callText'])];
    if (asked.length > 0) await views.caughtUpTo(head.position, { views: asked, signal });
    if (conditions.workspace !== undefined) await requireTraces({ handler, views }, conditions.workspace, head.position, signal);
    // A text that cannot be searched for is refused before anything is written.
    if (asked.length > 0) await views.query('matchingCalls', { filter: callPart(conditions), places: [] });
    if (open) {
      const { filter, typed } = recordedConditions(conditions);
      const opened = { purpose: 'export', subjects: null, callId: null, filter } as const;
      await handler.execute(ledgerPrivacyDecider, ledgerPrivacyStream, [{ type: 'OpenValues', opened, reader: caller.actor, typed }], originOf(caller, 'local'));
    }
    return { exportId: newId(), conditions, end: head.position };
  },
});

/**
 * A mistyped workspace would give an export without events that looks like one of a workspace in which nothing happened.
 * One that was never opened can have settings and refused calls all the same.
 * @throws Fault `workspace_unknown`
 */
async function requireTraces({ handler, views }: Pick<OwnerServices, 'handler' | 'views'>, workspace: string, head: Position, signal: AbortSignal): Promise<void> {
  const [opened, settings] = await Promise.all([
    handler.load(workspaceDecider, workspaceStream(workspace)),
    handler.load(toolSettingsDecider, toolSettingsStream(workspace)),
  ]);
  if (opened.state.status !== 'unknown' || settings.revision !== null) return;
  await views.caughtUpTo(head, { views: ['toolCallLog'], signal });
  if ((await views.query('countCalls', { workspace })) === 0) requireOpened(workspace, 'unknown');
}
