import { z } from 'zod';
import { Fault } from '../../platform/fault.js';
import { changesOf, listingChanges, notAccepted } from './listingChanges.js';
import { operation } from '../operation.js';
import { originOf } from '../origin.js';
import { serverNamed } from './serverNamed.js';
import { skipReason } from './skipReasons.js';
import { workspaceId } from '../words.js';

/** Connects to a server now, records what it offers when that has changed, and says what changed. */
export const refreshMcpServer = operation({
  name: 'refreshMcpServer',
  reach: 'owner',
  input: z.object({ name: z.string(), workspace: workspaceId }),
  output: z.object({
    tools: z.int(),
    skipped: z.array(z.object({ name: z.string().nullable(), reason: z.string(), text: z.string() })),
    changes: listingChanges,
    /** Tools whose definition nobody accepted yet; the policy `hold` keeps them out. */
    notAccepted: z.array(z.string()),
  }),
  async run(services, { name, workspace }, { caller, signal }) {
    const origin = originOf(caller, workspace);
    const server = await serverNamed(services, workspace, name);
    await services.remote.disconnect(server.serverId);
    const found = await services.reach.reach({ workspace, serverId: server.serverId, name: server.name }, signal, origin);
    if (!found.ok) {
      throw new Fault('failed', 'connection_failed', `Server ${server.name} could not be used (${found.class}): ${found.message}`, { class: found.class });
    }
    const now = await serverNamed(services, workspace, name);
    return {
      tools: found.listing.tools.length,
      skipped: found.listing.skipped.map((skipped) => ({ ...skipped, text: skipReason(skipped.reason) })),
      changes: changesOf(server.discovery, now.discovery),
      notAccepted: notAccepted(now),
    };
  },
});
