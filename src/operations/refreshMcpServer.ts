import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../commands/mcpServers.js';
import { Fault } from '../platform/fault.js';
import { recordListing } from '../tools/recordListing.js';
import { operation } from './operation.js';
import { originOf } from './origin.js';
import { serverNamed } from './serverNamed.js';
import { workspaceId } from './words.js';

/** Connects to a server now and records what it offers, when that has changed. */
export const refreshMcpServer = operation({
  name: 'refreshMcpServer',
  reach: 'owner',
  input: z.object({ name: z.string(), workspace: workspaceId }),
  output: z.object({
    tools: z.int(),
    skipped: z.array(z.object({ name: z.string().nullable(), reason: z.string() })),
    changed: z.boolean(),
  }),
  async run(services, { name, workspace }, { caller, signal }) {
    const server = await serverNamed(services, workspace, name);
    await services.remote.disconnect(server.serverId);
    const found = await services.remote.connect({ workspace, serverId: server.serverId, name: server.name }, signal);
    if (!found.ok) {
      throw new Fault('failed', 'connection_failed', `Server ${server.name} could not be used (${found.class}): ${found.message}`, { class: found.class });
    }
    const before = await services.handler.load(mcpServersDecider, mcpServersStream(workspace));
    await recordListing(services.handler, found.listing, server.serverId, originOf(caller, workspace));
    const after = await services.handler.load(mcpServersDecider, mcpServersStream(workspace));
    return {
      tools: found.listing.tools.length,
      skipped: found.listing.skipped.map((skipped) => ({ ...skipped })),
      changed: before.revision !== after.revision,
    };
  },
});
