import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../commands/mcpServers/mcpServers.js';
import { workspaceDecider, workspaceStream } from '../../commands/workspace.js';
import { workspaceKindOf } from '../../commands/workspaceId.js';
import { endSignIns } from '../servers/signIn/ending/endSignIns.js';
import { signInText } from '../servers/signIn/signInTexts.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import { refusedFault } from '../refusedFault.js';

/** Refuses every call of a workspace from now on, closes its connections to servers, and ends the sign-ins at them that are under way. Recorded first. */
export const closeWorkspace = operation({
  name: 'closeWorkspace',
  reach: 'owner',
  ifLost: 'Look with `toolledger workspace list` before you repeat it.',
  input: z.object({ workspace: z.string() }),
  output: z.object({ changed: z.boolean() }),
  async run(services, { workspace }, { caller }) {
    const { handler, remote } = services;
    workspaceKindOf(workspace);
    const outcome = await handler.execute(workspaceDecider, workspaceStream(workspace), [{ type: 'Close' }], originOf(caller, workspace));
    if (outcome.kind === 'refused') throw refusedFault(outcome.refusal, { workspace });
    const { state } = await handler.load(mcpServersDecider, mcpServersStream(workspace));
    for (const { serverId } of state.servers) await remote.disconnect(serverId);
    await endSignIns(services, ({ origin }) => origin.workspace === workspace, 'workspace_closed', signInText('workspace_closed', null));
    return { changed: outcome.kind === 'recorded' };
  },
});
