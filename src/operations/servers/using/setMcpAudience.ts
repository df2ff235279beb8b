import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { mostInAudience } from '../../../events/catalogue/mcpServers/offeredTools.js';
import { operation } from '../../operation.js';
import { originOf } from '../../origin.js';
import { refusedFault } from '../../refusedFault.js';
import { discordId, workspaceId } from '../../words.js';
import { serverNamed } from '../serverNamed.js';
import { lookAtServers } from '../serverOperation.js';

const noneInLocal = 'In the workspace local nobody has roles and nothing happens in channels, but for what `toolledger call --role --channel` says: all other calls of this server are refused now.';
const ids = z.array(discordId).max(mostInAudience, `at most ${mostInAudience} are taken`);

/** Says who may use a server: members with one of these roles, in one of these channels. Empty lists: everybody, everywhere. */
export const setMcpAudience = operation({
  name: 'setMcpAudience',
  reach: 'owner',
  ifLost: lookAtServers,
  input: z.object({ name: z.string(), roles: ids, channels: ids, workspace: workspaceId }),
  output: z.object({
    changed: z.boolean(),
    /** What the audience leads to and may not have been meant; null when there is nothing to warn of. */
    warning: z.string().nullable(),
  }),
  async run(services, { name, roles, channels, workspace }, { caller }) {
    const { serverId } = await serverNamed(services, workspace, name);
    const audience = { roles: roles.length === 0 ? null : roles, channels: channels.length === 0 ? null : channels, person: null };
    const outcome = await services.handler.execute(mcpServersDecider, mcpServersStream(workspace), [{ type: 'SetAudience', serverId, ...audience }], originOf(caller, workspace));
    if (outcome.kind === 'refused') throw refusedFault(outcome.refusal, { workspace, name });
    return { changed: outcome.kind === 'recorded', warning: workspace === 'local' && (roles.length > 0 || channels.length > 0) ? noneInLocal : null };
  },
});
