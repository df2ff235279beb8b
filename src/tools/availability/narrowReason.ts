import { remedyOf } from '../../commands/mcpServers/remedies.js';
import { doWithout, narrowText, type AccountReach } from '../../commands/mcpSignIn/narrowAccount.js';
import { completeCommands } from './completeCommands.js';

/** What a server with a narrow account waits for, and what helps; which of its tools wants more is not on record. */
export function narrowReason(account: AccountReach, workspace: string, server: string): string {
  return completeCommands(`${narrowText(account)} ${remedyOf('needs_reauthorization', true)} ${doWithout}`, { workspace, server, tool: 'TOOL' });
}
