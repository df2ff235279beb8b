import { z } from 'zod';
import { workspaceDecider, workspaceStream } from '../../commands/workspace.js';
import { workspaceKindOf } from '../../commands/workspaceId.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import { refusedFault } from '../refusedFault.js';

/** Refuses every call of a workspace from now on. */
export const closeWorkspace = operation({
  name: 'closeWorkspace',
  reach: 'owner',
  input: z.object({ workspace: z.string() }),
  output: z.object({ changed: z.boolean() }),
  async run({ handler }, { workspace }, { caller }) {
    workspaceKindOf(workspace);
    const outcome = await handler.execute(workspaceDecider, workspaceStream(workspace), [{ type: 'Close' }], originOf(caller, workspace));
    if (outcome.kind === 'refused') throw refusedFault(outcome.refusal, { workspace });
    return { changed: outcome.kind === 'recorded' };
  },
});
