import { systemOrigin } from '../../../../../commands/commandHandler.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../../../commands/mcpSignIn/mcpSignIn.js';
import type { OwnerServices } from '../../../../services.js';
import type { EndedSignIn } from '../../pending/signInStore.js';

/** Records that something was no part of a sign-in, or not from who began it: nobody knows who did it. The sign-in goes on. */
export async function turnAway({ handler }: Pick<OwnerServices, 'handler'>, { signInId, serverId, origin }: Pick<EndedSignIn, 'signInId' | 'serverId' | 'origin'>, reason: string): Promise<void> {
  await handler.execute(mcpSignInDecider, mcpSignInStream(serverId), [{ type: 'TurnAway', serverId, signInId, reason }], systemOrigin(origin.workspace));
}
