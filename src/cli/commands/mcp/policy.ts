import { Argument, Command } from 'commander';
import { setDefinitionPolicy } from '../../../operations/servers/definitions/setDefinitionPolicy.js';
import { showDefinitionPolicy } from '../../../operations/servers/definitions/showDefinitionPolicy.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { workspaceOption } from './workspaceOption.js';

const choices = ['warn', 'hold', 'default'] as const;
const meaning = { warn: 'a tool whose definition changed is used, and admins are told', hold: 'a tool whose definition changed is not used until it is accepted' };

/** `mcp policy [warn|hold|default]` */
export function policyCommand(context: CommandContext): Command {
  return new Command('policy')
    .description('what happens when a server changes the definition of a tool: show it, or set it for a workspace')
    .addArgument(new Argument('[policy]', 'warn: use it and tell admins; hold: wait for `mcp accept`; default: as MCP_DEFINITION_POLICY says').choices(choices))
    .addOption(workspaceOption())
    .action(async (policy: (typeof choices)[number] | undefined, { workspace }: { workspace: string }, command: Command) => {
      const { invoke } = toolledgerOf(context, command);
      const { signal } = context;
      if (policy === undefined) {
        const answer = await invoke(showDefinitionPolicy, { workspace }, { signal });
        print(context, answer, () => [`${answer.policy} (${answer.from === 'workspace' ? `set for ${workspace}` : 'the default'}): ${meaning[answer.policy]}.`]);
        return;
      }
      const answer = await invoke(setDefinitionPolicy, { policy: policy === 'default' ? null : policy, workspace }, { signal });
      const what = policy === 'default' ? 'the default again' : policy;
      print(context, answer, () => [`The policy of ${workspace} is ${what}${answer.changed ? '' : ' already'}.`]);
    });
}
