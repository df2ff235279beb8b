import type { CommandHandler } from '../../commands/commandHandler.js';
import { workspaceDecider, workspaceStream, type WorkspaceState } from '../../commands/workspace.js';
import { Fault } from '../../platform/fault.js';
import { completeCommands } from '../../tools/availability/completeCommands.js';
import { reasonText } from '../../tools/availability/reasons.js';

type Handler = Pick<CommandHandler, 'load'>;

/**
 * For what makes something in a workspace.
 * @throws Fault `workspace_closed` or `workspace_unknown`
 */
export async function requireOpen(handler: Handler, workspace: string): Promise<void> {
  const status = await statusOf(handler, workspace);
  if (status !== 'open') throw notOpen(workspace, status);
}

/**
 * For what begins something with what a workspace has, or dials for it.
 * @throws Fault `workspace_closed`
 */
export async function refuseClosed(handler: Handler, workspace: string): Promise<void> {
  if (await isClosed(handler, workspace)) throw notOpen(workspace, 'closed');
}

/** Whether a workspace was closed. */
export async function isClosed(handler: Handler, workspace: string): Promise<boolean> {
  return (await statusOf(handler, workspace)) === 'closed';
}

async function statusOf(handler: Handler, workspace: string): Promise<WorkspaceState['status']> {
  return (await handler.load(workspaceDecider, workspaceStream(workspace))).state.status;
}

function notOpen(workspace: string, status: 'unknown' | 'closed'): Fault {
  const code = `workspace_${status}` as const;
  return new Fault('failed', code, completeCommands(reasonText(code), { workspace, server: null, tool: null }), { workspace });
}
