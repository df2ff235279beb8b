import { Command } from 'commander';
import type { z } from 'zod';
import { listMcpServers } from '../../../operations/servers/listMcpServers.js';
import { personName } from '../../../operations/personName.js';
import { commandIn } from '../../../operations/words.js';
import { othersNames } from '../../../platform/text/othersNames.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, rows, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { shortTime } from '../../format/time.js';
import { fewNames } from '../../format/fewNames.js';
import { hiddenLines } from './listingLines.js';
import { workspaceOption } from './workspaceOption.js';

/** `mcp list` */
export function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('the servers of a workspace and how they stand')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace: string }, command: Command) => {
      const answer = await toolledgerOf(context, command).invoke(listMcpServers, { workspace }, { signal: context.signal });
      print(context, answer, () => [
        ...rows(
          context,
          answer.servers,
          [
            { title: 'name', cell: ({ name }) => name },
            { title: 'where', cell: (server) => whereOf(server, answer.servers) },
            { title: 'state', cell: ({ state }) => state },
            { title: 'type', cell: ({ kind }) => kind },
            { title: 'tools', cell: toolsCell, grows: true },
          ],
          `No server is registered in ${workspace}. Try: ${commandIn(workspace, 'mcp add URL --name NAME')}`,
        ),
        ...answer.servers.flatMap(({ name, standing, account, switchedOff, held, audience: { roles, channels, person } }) => [
          ...(standing === null ? [] : [terminalSafe(`${name}: ${standing}`)]),
          ...(account === null ? [] : [terminalSafe(`${name}: ${accountText(account, answer.operator)}`)]),
          ...(person === null ? [] : [terminalSafe(`${name}: only for ${personName(person, answer.operator)}`)]),
          ...(account !== null && person === null && roles === null ? [terminalSafe(`${name}: for everyone in the workspace`)] : []),
          ...(held.length === 0 ? [] : [terminalSafe(`${name}: held until accepted (${commandIn(workspace, `mcp accept ${name}`)}): ${fewNames(held)}`)]),
          ...(switchedOff.length === 0 ? [] : [terminalSafe(`${name}: switched off: ${switchedOff.join(', ')}`)]),
          ...(roles === null ? [] : [terminalSafe(`${name}: only for members with one of the roles ${roles.join(', ')}`)]),
          ...(channels === null ? [] : [terminalSafe(`${name}: only in the channels ${channels.join(', ')}`)]),
        ]),
        ...hiddenLines(answer.servers, workspace),
      ]);
    });
}

type Listed = z.output<typeof listMcpServers.output>['servers'][number];

/** The full URL may hold a secret, so rows with the same address are told apart by the end of their ids. */
function whereOf({ serverId, address }: Listed, servers: readonly Listed[]): string {
  const alike = servers.filter((other) => other.address === address).length > 1;
  return alike ? `${address} (…${serverId.slice(-6)})` : address;
}

function accountText({ signer, since, issuer, scopes, renewable, lapsed, narrow }: NonNullable<Listed['account']>, operator: string | null): string {
  const granted = scopes === null ? '' : `, for ${othersNames(scopes)}`;
  const end = narrow ? `; ${lapsed}` : lapsed !== null ? `; not usable any more: ${lapsed}` : renewable ? '' : '; it cannot be renewed';
  return `signed in at ${issuer} by ${personName(signer, operator)} since ${shortTime(since)}${granted}${end}`;
}

function toolsCell({ toolNames, moreTools, held, hidden }: Listed): string {
  if (toolNames === null) return 'unknown';
  if (toolNames.length === 0) return 'none';
  const out = [...(held.length === 0 ? [] : [`${held.length} held`]), ...(hidden.length === 0 ? [] : [`${hidden.length} hidden`])];
  return `${out.length === 0 ? '' : `(${out.join(', ')}) `}${fewNames(toolNames, moreTools)}`;
}
