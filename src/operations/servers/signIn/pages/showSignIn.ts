import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../../../commands/mcpServers/mcpServers.js';
import { serverById, type McpAudience, type McpServer } from '../../../../commands/mcpServers/mcpServersState.js';
import { workspaceKindOf } from '../../../../commands/workspaceId.js';
import { grantAudiences } from '../../../../events/catalogue/mcpSignIn.js';
import { Fault } from '../../../../platform/fault.js';
import { operation } from '../../../operation.js';
import { adminText, isOperator } from '../whoBegan.js';
import type { OwnerServices } from '../../../services.js';
import { commandIn } from '../../../words.js';
import { mayBegin } from '../pending/mayBegin.js';
import type { PendingSignIn, SignInAudience } from '../pending/pendingSignIn.js';
import { newSignInSecret } from '../pending/signInSecrets.js';
import { withoutAnswer } from './recognising/broughtDigests.js';
import { recognise, refuse } from './recognising/recognise.js';

/** What the page of a link shows. Changes nothing: a preview of the link may ask for it. */
export const showSignIn = operation({
  name: 'showSignIn',
  reach: 'owner',
  input: z.object({ link: z.string().max(200), cookie: z.string().max(200).nullable() }),
  output: z.object({
    server: z.string(),
    /** Scheme, host and port of it; the rest of its URL may be secret. */
    address: z.string(),
    workspace: z.string(),
    admin: z.string(),
    /** Of the authorization server, in punycode. */
    host: z.string(),
    /** Where the sign-in before was made, when that was elsewhere. */
    hostBefore: z.string().nullable(),
    /** Where the form leads to in the end. */
    formTarget: z.string(),
    scopes: z.array(z.string()).nullable(),
    expiresAt: z.int(),
    /** What is chosen as the page opens: what holds now. */
    audience: z.object({ who: z.enum(grantAudiences), roles: z.array(z.string()).readonly() }),
    /** What puts the server to use afterwards, when it is disabled; else null. */
    enabling: z.string().nullable(),
    /** Whether anybody in the workspace can have roles. */
    hasRoles: z.boolean(),
    /** Whether nobody of its guild can use the tools when they are for the admin alone. */
    isOutsider: z.boolean(),
    csrf: z.string(),
    /** Of this rendering alone: by it a button that is pressed twice is known. */
    page: z.string(),
  }),
  async run(services, { link, cookie }) {
    const { pending } = await recognise(services, link, { by: 'link', changes: false, brought: withoutAnswer(cookie) });
    if (!mayBegin(pending, cookie, null)) return refuse(services, pending, 'link_used', 'sign_in_used', false);
    const { serverName, origin, server, issuerBefore, scopes, expiresAt, secrets } = pending;
    const isGuild = workspaceKindOf(origin.workspace) === 'guild';
    const registered = await registeredServer(services, pending);
    return {
      server: serverName,
      address: `${registered.scheme}://${registered.host}:${registered.port}`,
      workspace: origin.workspace,
      admin: adminText(origin),
      host: new URL(server.issuer).host,
      hostBefore: issuerBefore === null ? null : new URL(issuerBefore).host,
      formTarget: new URL(server.authorizationEndpoint).origin,
      scopes: scopes === null ? null : [...scopes],
      expiresAt,
      enabling: registered.status === 'disabled' ? commandIn(origin.workspace, `mcp enable ${registered.name}`) : null,
      audience: audienceNow(pending, registered.audience),
      hasRoles: isGuild,
      isOutsider: isGuild && isOperator(origin),
      csrf: secrets.form,
      page: newSignInSecret(services.signIns.randomBytes),
    };
  },
});

async function registeredServer({ handler }: Pick<OwnerServices, 'handler'>, { serverId, serverName, origin }: PendingSignIn): Promise<McpServer> {
  const { state } = await handler.load(mcpServersDecider, mcpServersStream(origin.workspace));
  const server = serverById(state, serverId);
  if (server === undefined) throw new Fault('failed', 'server_removed', 'The server was removed, so there is nothing to sign in at.', { server: serverName });
  return server;
}

/** Nobody is let in by signing in again who was kept out before, unless that is chosen. */
function audienceNow({ phase }: PendingSignIn, { roles, person }: McpAudience): SignInAudience {
  if (phase.kind === 'redirected') return phase.audience;
  if (person !== null) return { who: 'signer', roles: [] };
  return roles === null ? { who: 'everyone', roles: [] } : { who: 'roles', roles };
}
