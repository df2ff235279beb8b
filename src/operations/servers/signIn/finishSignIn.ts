import { z } from 'zod';
import { AuthorizationFault } from '../../../mcp/client/authorization/authorizationFault.js';
import { openAuthorizationFetch } from '../../../mcp/client/authorization/authorizationFetch.js';
import { judgeResponse } from '../../../mcp/client/authorization/authorizationResponse.js';
import { exchangeCode } from '../../../mcp/client/authorization/tokens.js';
import type { StoredGrant } from '../../../mcp/client/grants/storedGrant.js';
import { Fault } from '../../../platform/fault.js';
import { operation } from '../../operation.js';
import type { OwnerServices } from '../../services.js';
import { signerOf } from './adminText.js';
import { awaitedAnswer, broughtBack, type AwaitedAnswer } from './answeredSignIn.js';
import { completeSignIn } from './completeSignIn.js';
import { failSignIn } from './endSignIn.js';
import { isSame } from './pendingSignIn.js';
import { refuse, signInFault } from './recognise.js';

/**
 * Takes the answer of an authorization server, once, and exchanges it for tokens at once. Whatever comes of it, the sign-in
 * is over then, and on record.
 */
export const finishSignIn = operation({
  name: 'finishSignIn',
  reach: 'owner',
  input: broughtBack.extend({ csrf: z.string().max(200) }),
  output: z.object({
    server: z.string(),
    workspace: z.string(),
    /** False: the authorization server said no, and the sign-in is over. */
    signedIn: z.boolean(),
    sentence: z.string(),
  }),
  async run(services, answer, { signal }) {
    const awaited = await awaitedAnswer(services, answer, true);
    const { pending, version } = awaited;
    const { signIns } = services;
    if (!isSame(answer.csrf, pending.secrets.form)) return refuse(services, pending, 'forged', 'sign_in_forged', true);
    // From here on it has had its answer, also when the process dies.
    if (!(await signIns.pending.swap({ ...pending, phase: { kind: 'answered', audience: pending.phase.audience } }, version))) throw signInFault('sign_in_used');
    const about = { server: pending.serverName, workspace: pending.origin.workspace };
    try {
      const { code } = judgeResponse(answer, pending.server);
      const grant = await exchanged(services, awaited.pending, code);
      await signIns.stored.put(pending.serverId, grant);
      return { ...about, signedIn: true, sentence: await completeSignIn(services, pending, grant, pending.phase.audience, signal) };
    } catch (error) {
      const shown = await failed(services, pending, error);
      if (shown instanceof Fault && shown.code === 'authorization_refused') return { ...about, signedIn: false, sentence: shown.message };
      throw shown;
    }
  },
});

async function exchanged(services: OwnerServices, pending: AwaitedAnswer['pending'], code: string): Promise<StoredGrant> {
  const { signInId, serverId, origin, server, client, redirectUri, resource, phase } = pending;
  const { workspace } = origin;
  const stored = await services.secrets.get(serverId);
  const signer = signerOf(origin);
  if (stored === null) throw new Fault('failed', 'address_missing', 'The server was removed while you signed in.');
  if ((await services.vault.keyOf(signer)) === null) throw new Fault('failed', 'signer_erased', 'The person who began was erased while signing in.');
  const fetch = openAuthorizationFetch({ url: stored.url, workspace }, services.signIns.authorization);
  try {
    const request = { server, client, redirectUri, code, verifier: phase.verifier, resource, now: services.clock.now() };
    const tokens = await exchangeCode(request, fetch, new AbortController().signal);
    return { signInId, signer, workspace, resource, server, client, tokens };
  } finally {
    await fetch.close();
  }
}

async function failed(services: OwnerServices, pending: AwaitedAnswer['pending'], error: unknown): Promise<unknown> {
  const known = error instanceof AuthorizationFault || error instanceof Fault ? error : null;
  const { code, message } = known ?? { code: 'internal_error', message: 'Something went wrong inside; the log says what.' };
  if (code === 'invalid_client') await services.signIns.clients.forget(pending.origin.workspace, pending.server.issuer);
  await failSignIn(services, pending, code, message);
  return known instanceof AuthorizationFault ? new Fault('failed', code, message) : error;
}
