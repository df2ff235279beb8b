import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { notAccepted } from './listingChanges.js';
import { operation } from '../../operation.js';
import { originOf } from '../../origin.js';
import { refusedFault } from '../../refusedFault.js';
import { serverNamed } from '../serverNamed.js';
import { lookAtServers } from '../serverOperation.js';
import { workspaceId } from '../../words.js';

/** Accepts every definition that a server was last found to offer; the policy `hold` uses only accepted ones. */
export const acceptMcpDefinitions = operation({
  name: 'acceptMcpDefinitions',
  reach: 'owner',
  ifLost: lookAtServers,
  input: z.object({ name: z.string(), workspace: workspaceId }),
  output: z.object({
    /** The tools that are usable under the policy `hold` from now on. */
    accepted: z.array(z.string()),
  }),
  async run(services, { name, workspace }, { caller }) {
    const server = await serverNamed(services, workspace, name);
    const outcome = await services.handler.execute(
      mcpServersDecider,
      mcpServersStream(workspace),
      [{ type: 'AcceptDefinitions', serverId: server.serverId, definitions: 'all' }],
      originOf(caller, workspace),
    );
    if (outcome.kind === 'refused') throw refusedFault(outcome.refusal, { workspace, name });
    return { accepted: notAccepted(server) };
  },
});
