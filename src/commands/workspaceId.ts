import { Fault } from '../platform/fault.js';
import { quoteGiven } from '../platform/text/given.js';

/** What a workspace is: the machine's own, a guild, or one person's direct messages. */
export type WorkspaceKind = 'local' | 'guild' | 'dm';

const guild = /^g[0-9]{1,20}$/;
const dm = /^d[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Tells from a workspace's id what it is.
 * @throws Fault `invalid_workspace` when the id has none of the three forms
 */
export function workspaceKindOf(workspace: string): WorkspaceKind {
  if (workspace === 'local') return 'local';
  if (guild.test(workspace)) return 'guild';
  if (dm.test(workspace)) return 'dm';
  throw new Fault(
    'usage',
    'invalid_workspace',
    `${quoteGiven(workspace)} is no workspace. It is "local", "g" and a guild's id (1 to 20 digits), or "d" and a person's subject id (a UUID in lower case).`,
  );
}
