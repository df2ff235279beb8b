import { Fault } from '../../../platform/fault.js';
import type { CommandContext } from '../../commandContext.js';

/** Most bytes of a token on standard input. */
const maxTokenInput = 4096;

/** How a token may be given: never as an argument, which other users of the machine could read. */
export interface TokenOptions {
  readonly tokenStdin?: boolean;
  readonly tokenPrompt?: boolean;
}

/**
 * Reads the token that the options say; null when they say none.
 * @throws Fault `no_token` when one was to come and nothing came: that must not pass for "without a token"
 */
export async function readToken(context: CommandContext, options: TokenOptions): Promise<string | null> {
  if (options.tokenStdin === true) return given(await context.terminal.readInput(maxTokenInput), 'standard input');
  if (options.tokenPrompt === true) return given(await context.terminal.askSecret('Token: ', context.signal), 'what was typed');
  return null;
}

function given(token: string, where: string): string {
  if (token.trim() === '') throw new Fault('usage', 'no_token', `No token came: ${where} is blank. Nothing was changed. Leave the option out, or use \`mcp set-token NAME --none\`, for a server without one.`);
  return token;
}
