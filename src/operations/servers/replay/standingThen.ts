import type { AccountReach } from '../../../commands/mcpSignIn/narrowAccount.js';
import type { McpServer } from '../../../commands/mcpServers/mcpServersState.js';
import { standingOf, type Standing } from '../standingText.js';

/**
 * How a folded server stands at a moment.
 * @param changedAt when it was last enabled or disabled; both in milliseconds since the epoch
 * @param workspace whose server it is; matters to the text alone, as the account does
 */
export function standingThen({ name, status, credential, autoDisabled, connection }: McpServer, changedAt: number, now: number, workspace = 'local', grant: AccountReach | null = null): Standing {
  return standingOf({ name, state: status, credential, autoDisabled, changedAt, connection, grant }, now, workspace);
}
