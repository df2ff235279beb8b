import { z } from 'zod';
import { toolSettingsDecider, toolSettingsStream } from '../../../commands/toolSettings.js';
import { Fault } from '../../../platform/fault.js';
import { outOfUse } from '../../../tools/availability/outOfUse.js';
import { hiddenTools } from './hiddenTools.js';
import { hiddenToolsNow } from './hiddenToolsNow.js';
import { changesOf, listingChanges, notAccepted } from './listingChanges.js';
import { diffsOf, listingDiffs } from './listingDiffs.js';
import { originOf } from '../../origin.js';
import { serverNamed } from '../serverNamed.js';
import { serverOperation } from '../serverOperation.js';
import { skippedText } from './skippedText.js';
import { definitionPolicies, workspaceId } from '../../words.js';
import { refuseClosed } from '../../workspaces/requireOpen.js';

/**
 * Connects to a server now, also in quarantine, while it is parked or disabled, records what it offers when that has
 * changed, and says what changed. A failure is recorded and not counted.
 */
export const refreshMcpServer = serverOperation({
  name: 'refreshMcpServer',
  reach: 'owner',
  input: z.object({ name: z.string(), workspace: workspaceId }),
  output: z.object({
    tools: z.int(),
    /** Whether it was kept out of use before, and is used again. */
    backInUse: z.boolean(),
    skipped: z.array(z.object({ name: z.string().nullable(), reason: z.string(), text: z.string() })),
    changes: listingChanges,
    /** What changed in each definition that did. */
    diffs: listingDiffs,
    /** What the server says of how to use it, and whether that changed; for people only. */
    instructions: z.object({ text: z.string().nullable(), changed: z.boolean() }),
    /** Tools nobody can call, because another server or the product uses the name. */
    hidden: hiddenTools,
    /** Tools whose definition nobody accepted yet; the policy `hold` keeps them out. */
    notAccepted: z.array(z.string()),
    /** The policy that is in force in the workspace. */
    policy: z.enum(definitionPolicies),
  }),
  async run(services, { name, workspace }, { caller, signal }) {
    const server = await serverNamed(services, workspace, name);
    const before = services.clock.now();
    const { serverId } = server;
    await refuseClosed(services.handler, workspace);
    await services.remote.disconnect(serverId);
    const found = await services.reach.reach({ workspace, serverId, name: server.name }, signal, originOf(caller, workspace));
    if (server.status === 'disabled') await services.remote.disconnect(serverId);
    if (!found.ok) {
      throw new Fault('failed', 'connection_failed', `Server ${server.name} could not be used (${found.class}): ${found.message}`, { class: found.class, retryAfterMs: 'retryAfterMs' in found ? found.retryAfterMs : null });
    }
    const now = await serverNamed(services, workspace, name);
    return {
      tools: found.listing.tools.length,
      backInUse: outOfUse(server, server.status === 'enabled', before) !== null && now.status === 'enabled' && outOfUse(now, true, services.clock.now()) === null,
      skipped: found.listing.skipped.map((skipped) => ({ ...skipped, text: skippedText(skipped) })),
      changes: changesOf(server.discovery, now.discovery),
      diffs: await diffsOf(services.store, server.discovery, now.discovery),
      instructions: {
        text: found.listing.instructions?.text ?? null,
        changed: server.discovery !== 'unknown' && server.discovery.instructions?.hash !== found.listing.instructions?.hash,
      },
      hidden: await hiddenToolsNow(services, workspace, serverId),
      notAccepted: notAccepted(now),
      policy: (await services.handler.load(toolSettingsDecider, toolSettingsStream(workspace))).state.policy ?? services.definitionPolicy,
    };
  },
});
