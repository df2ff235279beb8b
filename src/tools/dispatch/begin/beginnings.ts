import type { CommandHandler } from '../../../commands/commandHandler.js';
import { toolCallDecider, type ToolCallCommand } from '../../../commands/toolCall/toolCall.js';
import type { ToolCallState } from '../../../commands/toolCall/toolCallState.js';
import type { Call } from './call.js';
import { troubleOf, type Trouble } from '../refusing/trouble.js';

/** What came of recording the beginning of a call. */
export type Begun =
  | { readonly kind: 'recorded' }
  /** The call id was used before. */
  | { readonly kind: 'exists'; readonly state: ToolCallState }
  /** Nothing is recorded and nothing may run. */
  | { readonly kind: 'trouble'; readonly trouble: Trouble };

/**
 * Records that a call was admitted or refused, and its ending as well when that is known already. Durable when it
 * resolves.
 */
export async function begin(handler: CommandHandler, call: Call, commands: readonly [ToolCallCommand, ...ToolCallCommand[]]): Promise<Begun> {
  try {
    const outcome = await handler.execute(toolCallDecider, call.stream, commands, call.origin, { expectNew: true });
    return outcome.kind === 'refused' ? { kind: 'exists', state: outcome.state } : { kind: 'recorded' };
  } catch (error) {
    return { kind: 'trouble', trouble: troubleOf(error) };
  }
}
