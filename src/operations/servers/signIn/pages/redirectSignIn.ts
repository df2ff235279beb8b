import { z } from 'zod';
import { authorizationUrl, newVerifier } from '../../../../mcp/client/authorization/authorizationRequest.js';
import { Fault } from '../../../../platform/fault.js';
import { operation } from '../../../operation.js';
import { discordId } from '../../../words.js';
import { mayBegin } from '../mayBegin.js';
import { cookieNameOf, isSame, newSignInSecret, wordOf } from '../pendingSignIn.js';
import { withoutAnswer } from './broughtDigests.js';
import { recognise, refuse } from './recognise.js';
import { grantAudiences } from '../../../../events/catalogue/mcpSignIn.js';

/** Most roles that are taken. */
const mostRoles = 50;

/** Sends the browser that followed the link to the authorization server; it alone may bring the answer, and be sent again. */
export const redirectSignIn = operation({
  name: 'redirectSignIn',
  reach: 'owner',
  input: z.object({
    link: z.string().max(200),
    csrf: z.string().max(200),
    cookie: z.string().max(200).nullable(),
    audience: z.object({ who: z.enum(grantAudiences), roles: z.array(discordId).max(mostRoles, `at most ${mostRoles} roles are taken`) }),
  }),
  output: z.object({ location: z.string(), cookieName: z.string(), cookie: z.string(), maxAgeSeconds: z.int() }),
  async run(services, { link, csrf, cookie: given, audience }) {
    const { pending, version } = await recognise(services, link, { by: 'link', changes: true, brought: withoutAnswer(given) });
    if (!mayBegin(pending, given)) return refuse(services, pending, 'link_used', 'sign_in_used', true);
    if (!isSame(csrf, pending.secrets.form)) return refuse(services, pending, 'forged', 'sign_in_forged', true);
    if (audience.who === 'roles' && audience.roles.length === 0) {
      throw new Fault('usage', 'roles_missing', 'Name at least one role id, or choose another answer.');
    }
    const { randomBytes } = services.signIns;
    const cookie = pending.phase.kind === 'redirected' ? pending.phase.cookie : newSignInSecret(randomBytes);
    const verifier = newVerifier(randomBytes);
    // A new one each time: an answer to what was chosen before must not be confirmed as one to this.
    const state = newSignInSecret(randomBytes);
    const kept = { who: audience.who, roles: audience.who === 'roles' ? audience.roles : [] };
    const taken = await services.signIns.pending.swap({ ...pending, secrets: { ...pending.secrets, state }, phase: { kind: 'redirected', cookie, verifier, audience: kept } }, version);
    if (taken === null) return refuse(services, pending, 'link_used', 'sign_in_used', true);
    const { signInId, server, client, redirectUri, scopes, resource, expiresAt } = pending;
    return {
      location: authorizationUrl({ server, client, redirectUri, state: wordOf(signInId, state), verifier, scopes, resource }),
      cookieName: cookieNameOf(signInId),
      cookie,
      maxAgeSeconds: Math.ceil((expiresAt - services.clock.now()) / 1_000),
    };
  },
});
