import type { CommandContext } from '../../commandContext.js';

/** Most bytes of a token on standard input. */
const maxTokenInput = 4096;

/** How a token may be given: never as an argument, which other users of the machine could read. */
export interface TokenOptions {
  readonly tokenStdin?: boolean;
  readonly tokenPrompt?: boolean;
}

/** Reads the token that the options say; null when they say none. */
export async function readToken(context: CommandContext, options: TokenOptions): Promise<string | null> {
  if (options.tokenStdin === true) return context.terminal.readInput(maxTokenInput);
  if (options.tokenPrompt === true) return context.terminal.askSecret('Token: ', context.signal);
  return null;
}
