import { completeCommands } from '../../../tools/availability/completeCommands.js';
import type { PendingSignIn } from './pending/pendingSignIn.js';

/** A sentence about a sign-in with its commands as they can be typed. */
export function commandsFor({ serverName, origin }: Pick<PendingSignIn, 'serverName' | 'origin'>, sentence: string): string {
  return completeCommands(sentence, { workspace: origin.workspace, server: serverName, tool: null });
}
