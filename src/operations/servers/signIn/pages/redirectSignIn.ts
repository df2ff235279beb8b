import { z } from 'zod';
import { authorizationUrl, newVerifier } from '../../../../mcp/client/authorization/authorizationRequest.js';
import { Fault } from '../../../../platform/fault.js';
import { operation } from '../../../operation.js';
import type { OwnerServices } from '../../../services.js';
import { discordId } from '../../../words.js';
import { mayBegin } from '../pending/mayBegin.js';
import { cookieNameOf, wordOf } from '../pending/signInWord.js';
import { isSame, newSignInSecret } from '../pending/signInSecrets.js';
import { withoutAnswer } from './recognising/broughtDigests.js';
import { recognise, refuse } from './recognising/recognise.js';
import { mostInAudience } from '../../../../events/catalogue/mcpServers/offeredTools.js';
import { grantAudiences } from '../../../../events/catalogue/mcpSignIn.js';

const input = z.object({
  link: z.string().max(200),
  csrf: z.string().max(200),
  page: z.string().max(200),
  cookie: z.string().max(200).nullable(),
  audience: z.object({ who: z.enum(grantAudiences), roles: z.array(discordId).max(mostInAudience, `at most ${mostInAudience} roles are taken`) }),
});
const output = z.object({ location: z.string(), cookieName: z.string(), cookie: z.string(), maxAgeSeconds: z.int() });

/** Sends the browser that followed the link to the authorization server; it alone may bring the answer, and be sent again: a button that is pressed twice leads on both times. */
export const redirectSignIn = operation({
  name: 'redirectSignIn',
  reach: 'owner',
  input,
  output,
  run: async (services, form) => services.signIns.pressed(JSON.stringify(form), () => redirect(services, form)),
});

async function redirect(services: OwnerServices, { link, csrf, page, cookie: given, audience }: z.output<typeof input>): Promise<z.output<typeof output>> {
  const { pending, version } = await recognise(services, link, { by: 'link', changes: true, brought: withoutAnswer(given) });
  if (!mayBegin(pending, given, page)) return refuse(services, pending, 'link_used', 'sign_in_used', true);
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
  const redirected = { ...pending, secrets: { ...pending.secrets, state }, phase: { kind: 'redirected', cookie, page, verifier, audience: kept } } as const;
  if ((await services.signIns.pending.swap(redirected, version)) === null) return refuse(services, pending, 'link_used', 'sign_in_used', true);
  const { signInId, server, client, redirectUri, scopes, resource, expiresAt } = pending;
  return {
    location: authorizationUrl({ server, client, redirectUri, state: wordOf(signInId, state), verifier, scopes, resource }),
    cookieName: cookieNameOf(signInId),
    cookie,
    maxAgeSeconds: Math.ceil((expiresAt - services.clock.now()) / 1_000),
  };
}
