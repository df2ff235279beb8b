import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { Fault } from '../../../platform/fault.js';
import { completeCommands } from '../../../tools/availability/completeCommands.js';
import { reasonText } from '../../../tools/availability/reasons.js';
import { originOf } from '../../origin.js';
import { refusedFault } from '../../refusedFault.js';
import { workspaceId } from '../../words.js';
import { testConnection } from './connectionTest.js';
import { foundTools } from './foundTools.js';
import { givenToken, typedToken } from './givenToken.js';
import { recordTest } from './recordTest.js';
import { endGrant } from '../signIn/signingOut/endGrant.js';
import { serverNamed } from '../serverNamed.js';
import { serverOperation } from '../serverOperation.js';
import { toolsFound } from './toolsFound.js';

/**
 * Replaces the token of a server, or takes it away. The new one is tried first; when it does not work, the old one stays.
 * Connections made with the old one are closed.
 */
export const replaceMcpCredential = serverOperation({
  name: 'replaceMcpCredential',
  reach: 'owner',
  input: z.object({ name: z.string(), workspace: workspaceId, token: givenToken }),
  output: foundTools,
  async run(services, { name, workspace, token: typed }, { caller, signal }) {
    const { serverId, name: registered } = await serverNamed(services, workspace, name);
    const stored = await services.secrets.get(serverId);
    if (stored === null) throw new Fault('failed', 'address_missing', completeCommands(reasonText('server_address_missing'), { workspace, server: registered, tool: null }), { workspace, name: registered });
    const token = typedToken(typed);
    const secret = { url: stored.url, token };
    const test = await testConnection(services, secret, workspace, signal);
    const origin = originOf(caller, workspace);
    const replace = { type: 'ReplaceCredential', serverId, credential: token === null ? 'none' : 'token' } as const;
    const next = async (): Promise<void> => {
      await services.secrets.setToken(serverId, token);
      const outcome = await services.handler.execute(mcpServersDecider, mcpServersStream(workspace), [replace], origin);
      if (outcome.kind === 'refused') {
        // Removed in the meantime: nothing of it may stay.
        await services.secrets.delete(serverId);
        throw refusedFault(outcome.refusal, { workspace, name });
      }
      await services.remote.disconnect(serverId);
      await recordTest(services, serverId, test, origin);
    };
    await endGrant(services, serverId, { reason: 'token_set', origin, next });
    return toolsFound(services, test, workspace, serverId);
  },
});
