import { z } from 'zod';
import { AuthorizationFault } from '../../../../mcp/client/authorization/authorizationFault.js';
import { judgeResponse } from '../../../../mcp/client/authorization/authorizationResponse.js';
import type { OwnerServices } from '../../../services.js';
import { operation } from '../../../operation.js';
import { commandsFor } from '../commandsFor.js';
import { adminText } from '../whoBegan.js';
import { audienceText } from './audienceText.js';
import type { PendingSignIn } from '../pending/pendingSignIn.js';
import { isSame } from '../pending/signInSecrets.js';
import { recognise, refuse } from './recognising/recognise.js';

/** What a browser brings back from the authorization server, and the cookie by which it is known again. */
export const broughtBack = z.object({
  state: z.string().max(200),
  cookie: z.string().max(200).nullable(),
  iss: z.string().max(1_024).nullable(),
  error: z.string().max(256).nullable(),
  errorDescription: z.string().max(1_000).nullable(),
  code: z.string().max(4_096).nullable(),
});

/** A sign-in of which a browser may bring the answer. */
export interface AwaitedAnswer {
  readonly pending: PendingSignIn & { readonly phase: PendingSignIn['phase'] & { readonly kind: 'redirected' } };
  readonly version: string;
}

/**
 * Finds the sign-in that an answer is for: of the browser that began it, and only before another answer was taken.
 * @param csrf the secret of our form that the answer was sent from; null before there was one
 * @throws Fault `sign_in_unknown`, `sign_in_expired`, `sign_in_used`, `signed_in_already` or `sign_in_other_browser`
 */
export async function awaitedAnswer(services: OwnerServices, { state, cookie, code, iss }: z.output<typeof broughtBack>, csrf: string | null): Promise<AwaitedAnswer> {
  const changes = csrf !== null;
  const { pending, version } = await recognise(services, state, { by: 'state', changes, brought: { cookie, csrf, code, iss } });
  const { phase } = pending;
  if (phase.kind === 'offered') return refuse(services, pending, 'not_begun', 'sign_in_unknown', changes);
  if (phase.kind !== 'redirected') return refuse(services, pending, 'state_used', 'sign_in_used', changes);
  if (!isSame(cookie, phase.cookie)) return refuse(services, pending, 'other_browser', 'sign_in_other_browser', changes);
  return { pending: { ...pending, phase }, version };
}

/** What the page shows that the authorization server sends the browser to. Changes nothing and takes no code. */
export const answeredSignIn = operation({
  name: 'answeredSignIn',
  reach: 'owner',
  input: broughtBack,
  output: z.object({
    server: z.string(),
    workspace: z.string(),
    admin: z.string(),
    host: z.string(),
    /** Who will be able to use the tools, as part of a sentence. */
    audience: z.string(),
    csrf: z.string(),
    /** Why there is nothing to confirm; null when there is. */
    refused: z.string().nullable(),
  }),
  async run(services, answer) {
    const { pending } = await awaitedAnswer(services, answer, null);
    const { serverName, origin, server, secrets, phase } = pending;
    return {
      server: serverName,
      workspace: origin.workspace,
      admin: adminText(origin),
      host: new URL(server.issuer).host,
      audience: audienceText(phase.audience, adminText(origin)),
      csrf: secrets.form,
      refused: refusalOf(answer, pending),
    };
  },
});

function refusalOf(answer: z.output<typeof broughtBack>, pending: PendingSignIn): string | null {
  try {
    judgeResponse(answer, pending.server);
    return null;
  } catch (error) {
    if (error instanceof AuthorizationFault) return commandsFor(pending, error.message);
    throw error;
  }
}
