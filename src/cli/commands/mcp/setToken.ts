import { Command } from 'commander';
import { replaceMcpCredential } from '../../../operations/servers/registering/replaceMcpCredential.js';
import { commandIn } from '../../../operations/words.js';
import { Fault } from '../../../platform/fault.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { foundLines } from './foundLines.js';
import { readToken, type TokenOptions } from './tokenInput.js';
import { workspaceOption } from './workspaceOption.js';

/** `mcp set-token NAME --token-prompt|--token-stdin|--none` */
export function setTokenCommand(context: CommandContext): Command {
  return new Command('set-token')
    .description('replace the token of a server; the new one is tried before the old one is forgotten')
    .argument('<name>')
    .addOption(workspaceOption())
    .option('--token-stdin', 'read the token from standard input')
    .option('--token-prompt', 'ask for the token')
    .option('--none', 'use the server without a token from now on')
    .action(async (name: string, options: TokenOptions & { workspace: string; none?: boolean }, command: Command) => {
      const ways = [options.tokenStdin, options.tokenPrompt, options.none].filter((way) => way === true);
      if (ways.length !== 1) {
        throw new Fault('usage', 'token_needed', 'Say how the token is given: one of --token-prompt, --token-stdin or --none.');
      }
      const token = await readToken(context, options);
      const { workspace } = options;
      const found = await toolledgerOf(context, command).invoke(replaceMcpCredential, { name, workspace, token }, { signal: context.signal });
      print(context, found, () => [
        ...foundLines(context, { name, workspace }, found),
        terminalSafe(`Server ${name} is used ${options.none === true ? 'without a token' : 'with the new token'} from now on.`),
        ...(found.needsSignIn ? [terminalSafe(`Sign in: ${commandIn(workspace, `mcp sign-in ${name}`)}`)] : []),
      ]);
    });
}
