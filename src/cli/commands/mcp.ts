import { Command } from 'commander';
import type { CommandContext } from '../commandContext.js';
import { addCommand } from './mcp/add.js';
import { acceptCommand, refreshCommand } from './mcp/definitions.js';
import { disableCommand, enableCommand, removeCommand } from './mcp/change.js';
import { historyCommand } from './mcp/replay/history.js';
import { listCommand } from './mcp/list.js';
import { policyCommand } from './mcp/policy.js';
import { setTokenCommand } from './mcp/setToken.js';
import { signInCommand } from './mcp/signIn.js';
import { signOutCommand } from './mcp/signOut.js';
import { toolCommand } from './mcp/tool.js';
import { audienceCommand } from './mcp/audience.js';
import { whatIfCommand } from './mcp/replay/whatIf.js';

/** `mcp …`: everything about the remote servers of a workspace. */
export function mcpCommand(context: CommandContext): Command {
  const command = new Command('mcp').description('administer the remote MCP servers of a workspace');
  for (const part of [
    addCommand, listCommand, enableCommand, disableCommand, removeCommand, refreshCommand, acceptCommand,
    setTokenCommand, signInCommand, signOutCommand, toolCommand, audienceCommand, policyCommand, historyCommand, whatIfCommand,
  ]) command.addCommand(part(context));
  return command;
}
