import type { Origin } from '../commands/commandHandler.js';
import type { Caller } from '../tools/call.js';

/** The origin of what an operation records for its caller. */
export function originOf(caller: Caller, workspace: string): Origin {
  return { ...caller, workspace, correlation: null, causation: null };
}
