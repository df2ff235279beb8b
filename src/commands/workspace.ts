import type { WorkspaceEvent } from '../events/catalogue/workspace.js';
import { accepted, refused } from './accepted.js';
import type { Decider } from './decider.js';
import type { WorkspaceKind } from './workspaceId.js';

/** What can be asked of a workspace. Both are answered "unchanged" when it is already so. */
export type WorkspaceCommand = { readonly type: 'Open'; readonly kind: WorkspaceKind } | { readonly type: 'Close' };

/** A workspace that was never opened cannot be closed. */
export interface WorkspaceRefusal {
  readonly code: 'workspace_unknown';
}

/** `unknown`: never opened. */
export interface WorkspaceState {
  readonly status: 'unknown' | 'open' | 'closed';
  /** When it became so, in milliseconds since the epoch; 0 for a workspace that was never opened. */
  readonly since: number;
}

/** The stream of a workspace. */
export function workspaceStream(workspace: string): string {
  return `workspace-${workspace}`;
}

/** Whether a workspace may use tools. */
export const workspaceDecider: Decider<WorkspaceCommand, WorkspaceState, WorkspaceEvent, WorkspaceRefusal> = {
  initialState: () => ({ status: 'unknown', since: 0 }),

  decide(command, state) {
    if (command.type === 'Open') {
      return state.status === 'open' ? accepted() : accepted({ type: 'WorkspaceOpened', data: { kind: command.kind } });
    }
    if (state.status === 'unknown') return refused({ code: 'workspace_unknown' });
    return state.status === 'closed' ? accepted() : accepted({ type: 'WorkspaceClosed', data: {} });
  },

  evolve(_, event, { recordedAt }) {
    return { status: event.type === 'WorkspaceOpened' ? 'open' : 'closed', since: recordedAt };
  },
};
