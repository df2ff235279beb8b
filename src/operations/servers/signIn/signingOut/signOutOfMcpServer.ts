import { z } from 'zod';
import { Fault } from '../../../../platform/fault.js';
import { operation } from '../../../operation.js';
import { originOf } from '../../../origin.js';
import { workspaceId } from '../../../words.js';
import { serverNamed } from '../../serverNamed.js';
import { endGrant } from './endGrant.js';
import { withoutAccount } from './withoutAccount.js';

/** Takes the account of a server out of use: revoked where the authorization server supports it, and out of the vault. */
export const signOutOfMcpServer = operation({
  name: 'signOutOfMcpServer',
  reach: 'owner',
  input: z.object({ name: z.string(), workspace: workspaceId }),
  output: z.object({ revocation: z.enum(['revoked', 'unsupported', 'failed']) }),
  async run(services, { name, workspace }, { caller }) {
    const { serverId, name: registered } = await serverNamed(services, workspace, name);
    const origin = originOf(caller, workspace);
    const revocation = await endGrant(services, serverId, { reason: 'asked', origin, next: () => withoutAccount(services, serverId, origin) });
    if (revocation === null) throw new Fault('failed', 'not_signed_in', `Nobody is signed in to ${registered}, so there is nothing to end.`, { workspace, name: registered });
    return { revocation };
  },
});
