import { Command } from 'commander';
import type { z } from 'zod';
import { signInLink, signInToMcpServer } from '../../../operations/servers/signIn/signInToMcpServer.js';
import { commandIn } from '../../../operations/words.js';
import { Fault } from '../../../platform/fault.js';
import type { JsonValue } from '../../../platform/json.js';
import { othersNames } from '../../../platform/text/othersNames.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { print, toolledgerOf, type CommandContext } from '../../commandContext.js';
import { jsonText } from '../../format/jsonText.js';
import { shortTime } from '../../format/time.js';
import { foundLines } from './foundLines.js';
import { workspaceOption } from './workspaceOption.js';

/** Most bytes of a client secret on standard input. */
const maxSecretInput = 4096;

interface SignInOptions {
  readonly workspace: string;
  readonly user?: string;
  readonly clientId?: string;
  readonly clientSecretStdin?: boolean;
  readonly register?: boolean;
}

/** `mcp sign-in NAME [--user ID] [--client-id ID [--client-secret-stdin] | --register]` */
export function signInCommand(context: CommandContext): Command {
  return new Command('sign-in')
    .description('sign in to a server in a browser; its tools are used with that account from then on')
    .argument('<name>')
    .addOption(workspaceOption())
    .option('--user <id>', 'the person it is for, by chat id; without it, the operator of this machine')
    .option('--client-id <id>', 'of a client that you registered at the authorization server, with the redirect URI http://127.0.0.1:PORT/oauth/callback of `serve`, or /oauth/callback under TOOLLEDGER_PUBLIC_URL; kept once it has worked. Without it the one that is kept is used, or one is registered')
    .option('--client-secret-stdin', 'read its secret from standard input')
    .option('--register', 'have a client registered, instead of using one that was given or registered before')
    .action(async (name: string, options: SignInOptions, command: Command) => {
      const clientId = options.clientId ?? null;
      if (clientId === null && options.clientSecretStdin === true) throw new Fault('usage', 'client_id_needed', 'A client secret belongs to a client: name it with --client-id.');
      const clientSecret = options.clientSecretStdin === true ? await readSecret(context) : null;
      const input = { name, workspace: options.workspace, clientId, clientSecret, register: options.register === true };
      const answer = await toolledgerOf(context, command).invoke(signInToMcpServer, input, { onBehalfOf: options.user ?? null, signal: context.signal, onProgress: (told) => showLink(context, input, told) });
      print(context, answer, () => [...(answer.found === null ? [] : foundLines(context, { name, workspace: options.workspace }, answer.found)), terminalSafe(answer.message)]);
      if (answer.status !== 'signed_in') context.setExitCode(1);
    });
}

async function readSecret(context: CommandContext): Promise<string> {
  const secret = (await context.terminal.readInput(maxSecretInput)).trim();
  if (secret === '') throw new Fault('usage', 'no_client_secret', 'No client secret came: standard input is blank. Nothing was changed.');
  return secret;
}

function clientText({ source, id }: z.output<typeof signInLink>['client'], redirectUri: string): string {
  switch (source) {
    case 'given':
      return `The authorization server is to know toolledger as the client ${id}, which was given; its redirect URI there must be ${redirectUri}.`;
    case 'metadata_document':
      return `The authorization server reads who toolledger is at ${id}.`;
    case 'registered':
      return 'toolledger is registered at the authorization server.';
  }
}

/** An authorization server says so on a page of its own, of which the waiting command learns nothing. */
function unknownClientText({ source }: z.output<typeof signInLink>['client']): string {
  const unknown = 'If it says that it does not know this client,';
  switch (source) {
    case 'given':
      return `${unknown} stop with Ctrl-C and run the command again with another --client-id or with --register.`;
    case 'metadata_document':
      return `${unknown} see that it can read that address, or stop with Ctrl-C and run the command again with --client-id.`;
    case 'registered':
      return `${unknown} stop with Ctrl-C and run the command again: it registers anew.`;
  }
}

/** For people on standard error, where it is seen also while a program reads the other; for that program as a line of its own before the answer. */
function showLink(context: CommandContext, { name, workspace }: { readonly name: string; readonly workspace: string }, told: JsonValue): void {
  const begun = signInLink.parse(told);
  const { link, expiresAt, host, hostBefore, scopes, client, disabled, redirectUri } = begun;
  if (context.json) context.terminal.out(`${jsonText({ status: 'waiting', ...begun })}\n`);
  const lines = [
    `Open this link in a browser to sign in to ${name} at ${host}. It works once, until ${shortTime(expiresAt)}:`,
    '',
    `  ${link}`,
    '',
    ...(hostBefore === null ? [] : [`Note: the authorization server has changed. ${hostBefore === host ? `It is still at ${host}, but names itself differently than last time.` : `Last time it was at ${hostBefore}, now it is at ${host}.`} Go on only if you expect that.`]),
    ...(disabled ? [`Note: ${name} is disabled. Once you have signed in, ${commandIn(workspace, `mcp enable ${name}`)} puts it to use.`] : []),
    scopes === null ? 'It asks for nothing in particular; the authorization server decides what is granted.' : `It asks for: ${othersNames(scopes)}.`,
    `${clientText(client, redirectUri)} ${unknownClientText(client)}`,
    'Waiting for you in the browser; Ctrl-C stops the waiting.',
  ];
  for (const line of lines) context.terminal.err(`${terminalSafe(line)}\n`);
}
