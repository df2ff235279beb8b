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
const ids = z.array(discordId).min(1).max(mostInAudience, `at most ${mostInAudience} are taken`);

/** Says who may use a server, and where: members with one of these roles, in one of these channels; null: everyone, everywhere. What is left out stays as it is. */
export const setMcpAudience = operation({
  name: 'setMcpAudience',
  reach: 'owner',
  ifLost: lookAtServers,
  input: z.object({ name: z.string(), roles: ids.nullable().optional(), channels: ids.nullable().optional(), workspace: workspaceId }),
  output: z.object({
    /** The subject that stands for the operator of this machine; null: who asks does not know. */
    operator: z.string().nullable(),
    changed: z.boolean(),
    /** As it is now. Null: everyone, everywhere, no one person. */
    audience: z.object({ roles: z.array(z.string()).nullable(), channels: z.array(z.string()).nullable(), person: z.string().nullable() }),
    /** What the audience leads to and may not have been meant; null when there is nothing to warn of. */
    warning: z.string().nullable(),
  }),
  async run(services, { name, roles, channels, workspace }, { caller }) {
    const { serverId } = await serverNamed(services, workspace, name);
    const wanted = {
      // Whoever names roles, or everyone, does not mean one person.
      ...(roles !== undefined && { roles, person: null }),
      ...(channels !== undefined && { channels }),
    };
    const outcome = await services.handler.execute(mcpServersDecider, mcpServersStream(workspace), [{ type: 'SetAudience', serverId, ...wanted }], originOf(caller, workspace));
    if (outcome.kind === 'refused') throw refusedFault(outcome.refusal, { workspace, name });
    const { audience } = await serverNamed(services, workspace, name);
    const isForNobody = workspace === 'local' && (audience.roles !== null || audience.channels !== null);
    return {
      operator: operatorOf(caller),
      changed: outcome.kind === 'recorded',
      audience: { roles: copyOf(audience.roles), channels: copyOf(audience.channels), person: audience.person },
      warning: isForNobody ? noneInLocal : null,
    };
  },
});

function copyOf(list: readonly string[] | null): string[] | null {
  return list === null ? null : [...list];
}
