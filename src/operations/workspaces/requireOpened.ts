import { workspaceDecider, workspaceStream, type WorkspaceState } from '../../commands/workspace.js';
import type { EventReader } from '../../events/eventStore.js';
import { Fault } from '../../platform/fault.js';
import { foldedWhile } from '../foldedWhile.js';

/**
 * For what reads of one workspace: a mistyped name must not pass for a workspace in which there is nothing.
 * @throws Fault `workspace_unknown` when it was never opened
 */
export function requireOpened(workspace: string, status: WorkspaceState['status']): void {
  if (status !== 'unknown') return;
  throw new Fault('failed', 'workspace_unknown', `No workspace ${workspace} was ever opened here; \`toolledger workspace list\` lists those there are, \`toolledger workspace open ${workspace}\` opens it.`, { workspace });
}

/** As `requireOpened`, by the ledger itself. */
export async function requireOpenedOnRecord(ledger: Pick<EventReader, 'readStream'>, workspace: string): Promise<void> {
  const { state } = await foldedWhile(ledger, workspaceDecider, workspaceStream(workspace), () => true);
  requireOpened(workspace, state.status);
}
