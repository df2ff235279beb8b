import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { mostInAudience } from '../../../events/catalogue/mcpServers/offeredTools.js';
import { operation } from '../../operation.js';
import { operatorOf } from '../../operatorOf.js';
import { originOf } from '../../origin.js';
import { refusedFault } from '../../refusedFault.js';
import { discordId, workspaceId } from '../../words.js';
import { serverNamed } from '../serverNamed.js';
import { lookAtServers } from '../serverOperation.js';

const noneInLocal = 'In the workspace local nobody has roles and nothing happens in channels, but for what `toolledger call --role --channel` says: all other calls of this server are refused now.';
const ids = z.array(discordId).max(mostInAudience, `at most ${mostInAudience} are taken`);

/** Says who may use a server: members with one of these roles, in one of these channels. Empty lists: everyone, everywhere; nothing: as it is, which is told. */
export const setMcpAudience = operation({
  name: 'setMcpAudience',
  reach: 'owner',
  ifLost: lookAtServers,
  input: z.object({ name: z.string(), wanted: z.object({ roles: ids, channels: ids }).nullable(), workspace: workspaceId }),
  output: z.object({
    /** The subject that stands for the operator of this machine; null: who asks does not know. */
    operator: z.string().nullable(),
    changed: z.boolean(),
    /** As it is now. Null: everyone, everywhere, no one person. */
    audience: z.object({ roles: z.array(z.string()).nullable(), channels: z.array(z.string()).nullable(), person: z.string().nullable() }),
    /** What the audience leads to and may not have been meant; null when there is nothing to warn of. */
    warning: z.string().nullable(),
  }),
  async run(services, { name, wanted, workspace }, { caller }) {
    const { serverId, audience: before } = await serverNamed(services, workspace, name);
    if (wanted === null) return { operator: operatorOf(caller), changed: false, audience: { roles: copyOf(before.roles), channels: copyOf(before.channels), person: before.person }, warning: null };
    const audience = { roles: orNull(wanted.roles), channels: orNull(wanted.channels), person: null };
    const outcome = await services.handler.execute(mcpServersDecider, mcpServersStream(workspace), [{ type: 'SetAudience', serverId, ...audience }], originOf(caller, workspace));
    if (outcome.kind === 'refused') throw refusedFault(outcome.refusal, { workspace, name });
    return { operator: operatorOf(caller), changed: outcome.kind === 'recorded', audience, warning: workspace === 'local' && (audience.roles !== null || audience.channels !== null) ? noneInLocal : null };
  },
});

function copyOf(list: readonly string[] | null): string[] | null {
  return list === null ? null : [...list];
}

function orNull(list: string[]): string[] | null {
  return list.length === 0 ? null : list;
}
