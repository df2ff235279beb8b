import { z } from 'zod';
import { mcpServersDecider, mcpServersStream, type RegisterMcpServer } from '../../commands/mcpServers/mcpServers.js';
import { workspaceDecider, workspaceStream } from '../../commands/workspace.js';
import { judgeServerUrl } from '../../mcp/client/serverUrl.js';
import { Fault } from '../../platform/fault.js';
import { recordListing } from '../../tools/recordListing.js';
import { reasonText } from '../../tools/availability/reasons.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import { refusedFault } from '../refusedFault.js';
import { skipReason } from './skipReasons.js';
import { workspaceId } from '../words.js';

const mostText = 500;

/**
 * Registers a remote server. What the ledger alone can refuse is refused first, then a live connection is tried, and
 * only when that worked is anything stored: the credential and full URL in the vault, then the registration, then its tools.
 */
export const addMcpServer = operation({
  name: 'addMcpServer',
  reach: 'owner',
  input: z.object({
    url: z.string().min(1).max(mostText),
    name: z.string(),
    kind: z.string().default('generic'),
    workspace: workspaceId,
    /** Bearer token; null or blank for none. */
    token: z.string().max(mostText).nullable().default(null),
  }),
  output: z.object({
    serverId: z.string(),
    name: z.string(),
    tools: z.array(z.object({ name: z.string(), description: z.string() })),
    skipped: z.array(z.object({ name: z.string().nullable(), reason: z.string(), text: z.string() })),
  }),
  async run(services, { url, name, kind, workspace, token }, { caller, signal }) {
    const { handler, limits } = services;
    const target = judgeServerUrl(url, workspace, services.reach);
    const blank = token === null || token.trim() === '';
    const register: RegisterMcpServer = {
      type: 'Register',
      serverId: services.newId(),
      name,
      kind,
      ...target.address,
      credential: blank ? 'none' : 'token',
      limit: limits.mcpServersPerWorkspace,
    };
    const [open, servers] = await Promise.all([
      handler.load(workspaceDecider, workspaceStream(workspace)),
      handler.load(mcpServersDecider, mcpServersStream(workspace)),
    ]);
    if (open.state.status !== 'open') throw new Fault('failed', `workspace_${open.state.status}`, reasonText(`workspace_${open.state.status}`), { workspace });
    const early = mcpServersDecider.decide(register, servers.state);
    if (early.kind === 'refused') throw refusedFault(early.refusal, { workspace, name });

    const secrets = { url: target.url, token: blank ? null : token.trim() };
    const found = await services.probe({ ...secrets, workspace }, signal);
    if (!found.ok) {
      throw new Fault('failed', 'connection_failed', `No usable MCP server (${found.class}): ${found.message} Nothing was stored.`, { class: found.class });
    }
    const origin = originOf(caller, workspace);
    await services.secrets.put(register.serverId, secrets);
    const outcome = await handler.execute(mcpServersDecider, mcpServersStream(workspace), [register], origin);
    if (outcome.kind === 'refused') {
      await services.secrets.delete(register.serverId);
      throw refusedFault(outcome.refusal, { workspace, name });
    }
    await recordListing(handler, found.listing, register.serverId, origin);
    return {
      serverId: register.serverId,
      name: outcome.state.servers.find(({ serverId }) => serverId === register.serverId)?.name ?? name,
      tools: found.listing.tools.map((tool) => ({ name: tool.name, description: tool.definition.description })),
      skipped: found.listing.skipped.map((skipped) => ({ ...skipped, text: skipReason(skipped.reason) })),
    };
  },
});
