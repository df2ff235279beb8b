import { isDeepStrictEqual } from 'node:util';
import type { McpDiscovery } from '../commands/mcpServers/mcpServersState.js';
import type { ToolListing } from './remoteTools.js';

/** Whether a server still offers exactly what was recorded of it, in the same order. Cheap: it is asked at every call. */
export function isSameListing(recorded: McpDiscovery | 'unknown', listing: ToolListing): boolean {
  if (recorded === 'unknown') return false;
  if (recorded.tools.length !== listing.tools.length || recorded.skipped.length !== listing.skipped.length) return false;
  if (recorded.instructions?.hash !== listing.instructions?.hash) return false;
  const sameTools = listing.tools.every((tool, at) => {
    const was = recorded.tools[at];
    return was?.name === tool.name && was.remoteName === tool.remoteName && was.definition === tool.hash;
  });
  return sameTools && listing.skipped.every((skip, at) => isDeepStrictEqual(recorded.skipped[at], skip));
}
