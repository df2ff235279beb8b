import { z } from 'zod';
import { workspaceDecider, workspaceStream } from '../../commands/workspace.js';
import { workspaceKindOf } from '../../commands/workspaceId.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';

/** Lets a workspace use tools. */
export const openWorkspace = operation({
  name: 'openWorkspace',
  reach: 'owner',
  ifLost: 'Look with `toolledger workspace list` before you repeat it.',
  input: z.object({ workspace: z.string() }),
  output: z.object({ changed: z.boolean() }),
  async run({ handler }, { workspace }, { caller }) {
    const kind = workspaceKindOf(workspace);
    const outcome = await handler.execute(workspaceDecider, workspaceStream(workspace), [{ type: 'Open', kind }], originOf(caller, workspace));
    return { changed: outcome.kind === 'recorded' };
  },
});
