import { Command } from 'commander';
import { signOutOfMcpServer } from '../../../operations/servers/signIn/signingOut/signOutOfMcpServer.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { workspaceOption } from './workspaceOption.js';

const revocationTexts = {
  revoked: 'Its tokens were revoked.',
  unsupported: 'Its authorization server has no way to revoke tokens; they end by themselves.',
  failed: 'Its authorization server could not be told; end the access there too, if that matters.',
} as const;

/** `mcp sign-out NAME` */
export function signOutCommand(context: CommandContext): Command {
  return new Command('sign-out')
    .description('end the account that a server is used with: revoked where that is supported, and forgotten here')
    .argument('<name>')
    .addOption(workspaceOption())
    .action(async (name: string, { workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(signOutOfMcpServer, { name, workspace }, { signal: context.signal });
      print(context, answer, () => [terminalSafe(`Signed out of ${name}. ${revocationTexts[answer.revocation]}`)]);
    });
}
