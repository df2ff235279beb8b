import { z } from 'zod';
import { judgeRegistration, mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import { judgeServerUrl } from '../../../mcp/client/serverUrl.js';
import { originOf } from '../../origin.js';
import { refusedFault } from '../../refusedFault.js';
import { workspaceId } from '../../words.js';
import { requireOpen } from '../../workspaces/requireOpen.js';
import { testConnection } from './connectionTest.js';
import { foundTools } from './foundTools.js';
import { givenToken, typedToken } from './givenToken.js';
import { namesWithUrl } from './namesWithUrl.js';
import { recordTest } from './recordTest.js';
import { serverOperation } from '../serverOperation.js';
import { toolsFound } from './toolsFound.js';

/** Longest URL that is taken, in UTF-16 code units. */
const maxUrl = 500;

/**
 * Registers a remote server. What the ledger alone can refuse is refused first, then its URL is judged, then a live
 * connection is tried, and only when that worked is anything stored: the credential and full URL in the vault, then the
 * registration, then what it offers. A server that wants a sign-in is stored and parked.
 */
export const addMcpServer = serverOperation({
  name: 'addMcpServer',
  reach: 'owner',
  input: z.object({
    url: z.string().min(1).max(maxUrl),
    name: z.string(),
    kind: z.string().default('generic'),
    workspace: workspaceId,
    token: givenToken.default(null),
  }),
  output: foundTools.extend({
    serverId: z.string(),
    name: z.string(),
    /** Names of other servers of the workspace that are registered with the same URL, but for a slash at the end of its path. */
    sameUrl: z.array(z.string()),
  }),
  async run(services, { url, name, kind, workspace, token: typed }, { caller, signal }) {
    const { handler, limits } = services;
    const token = typedToken(typed);
    await requireOpen(handler, workspace);
    const servers = await handler.load(mcpServersDecider, mcpServersStream(workspace));
    const registration = { serverId: services.newId(), name, kind, limit: limits.mcpServersPerWorkspace };
    const early = judgeRegistration(registration, servers.state);
    if ('code' in early) throw refusedFault(early, { workspace, name });
    const { url: judged, address } = judgeServerUrl(url, workspace, services.localReach);

    const secret = { url: judged, token };
    const test = await testConnection(services, secret, workspace, signal);
    const origin = originOf(caller, workspace);
    const { serverId } = registration;
    await services.secrets.put(serverId, secret);
    const register = { type: 'Register', ...registration, ...address, credential: token === null ? 'none' : 'token' } as const;
    const outcome = await handler.execute(mcpServersDecider, mcpServersStream(workspace), [register], origin);
    if (outcome.kind === 'refused') {
      await services.secrets.delete(serverId);
      throw refusedFault(outcome.refusal, { workspace, name });
    }
    await recordTest(services, serverId, test, origin);
    return { serverId, name: early.name, sameUrl: await namesWithUrl(services, servers.state.servers, judged), ...(await toolsFound(services, test, workspace, serverId)) };
  },
});
