import type { z } from 'zod';
import type { foundTools } from '../../../operations/servers/registering/foundTools.js';
import { commandIn } from '../../../operations/words.js';
import { terminalSafe } from '../../../platform/text/terminal.js';
import { rows, type CommandContext } from '../../commandContext.js';
import { hiddenLines, instructionLines } from './listingLines.js';

/** What a server was found to offer, what of it is left out or hidden, and what it says of its use. */
export function foundLines(context: CommandContext, { name, workspace }: { readonly name: string; readonly workspace: string }, { tools, skipped, hidden, instructions, needsSignIn }: z.output<typeof foundTools>): readonly string[] {
  if (needsSignIn) {
    return [terminalSafe(`Server ${name} wants a sign-in or a token before it says what it offers. To give it a token: ${commandIn(workspace, `mcp set-token ${name} --token-prompt`)}`)];
  }
  return [
    ...rows(
      context,
      tools,
      [
        { title: 'tool', cell: (tool) => tool.name },
        { title: 'what it says of itself', cell: ({ description }) => description, grows: true },
      ],
      'The server offers no tools.',
    ),
    ...skipped.map(({ text }) => terminalSafe(text)),
    ...hiddenLines([{ name, hidden }], workspace),
    ...instructionLines({ text: instructions, changed: false }),
  ];
}
