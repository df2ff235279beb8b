import { z } from 'zod';
import { openAuthorizationFetch } from '../../../../../mcp/client/authorization/authorizationFetch.js';
import { judgeResponse } from '../../../../../mcp/client/authorization/authorizationResponse.js';
import { giveUpTokens } from '../../../../../mcp/client/grants/giveUpTokens.js';
import type { TokenSet } from '../../../../../mcp/client/authorization/tokens/tokenAnswer.js';
import { exchangeCode } from '../../../../../mcp/client/authorization/tokens/tokens.js';
import { Fault } from '../../../../../platform/fault.js';
import { operation } from '../../../../operation.js';
import type { OwnerServices } from '../../../../services.js';
import { signerOf } from '../../whoBegan.js';
import { awaitedAnswer, broughtBack, type AwaitedAnswer } from '../answeredSignIn.js';
import { broughtDigests } from '../recognising/broughtDigests.js';
import type { ExchangedSignIn } from '../../ending/completeSignIn.js';
import { failSignIn } from '../../ending/failSignIn.js';
import type { BroughtDigests, PendingSignIn } from '../../pending/pendingSignIn.js';
import { isSame } from '../../pending/signInSecrets.js';
import type { VersionedSignIn } from '../../pending/signInStore.js';
import { knownFault } from './knownFault.js';
import { putOnRecord } from './putOnRecord.js';
import { refuse } from '../recognising/recognise.js';
import { tellFailed } from './tellFailed.js';
import { tellSignedIn } from './tellSignedIn.js';

const input = broughtBack.extend({ csrf: z.string().max(200) });
const output = z.object({
  server: z.string(),
  workspace: z.string(),
  /** False: the authorization server said no, or the account is not used any more; the sign-in is over. */
  signedIn: z.boolean(),
  /** Whether the server can be used with the account. */
  usable: z.boolean(),
  sentence: z.string(),
});

/**
 * Takes the answer of an authorization server, once, and exchanges it for tokens at once. Whatever comes of it, the sign-in
 * is over then, and on record. Who presses the button twice sees both times what came of it.
 */
export const finishSignIn = operation({
  name: 'finishSignIn',
  reach: 'owner',
  input,
  output,
  async run(services, answer) {
    const { state, cookie, csrf, code, iss, error } = answer;
    return services.signIns.pressed(JSON.stringify([state, cookie, csrf, code, iss, error]), () => finish(services, answer));
  },
});

async function finish(services: OwnerServices, answer: z.output<typeof input>): Promise<z.output<typeof output>> {
  const { pending, version } = await awaitedAnswer(services, answer, answer.csrf);
  if (!isSame(answer.csrf, pending.secrets.form)) return refuse(services, pending, 'forged', 'sign_in_forged', true);
  const { audience } = pending.phase;
  const brought = broughtDigests(answer);
  // From here on it has had its answer, also when the process dies.
  const answered: PendingSignIn = { ...pending, phase: { kind: 'answered', audience, brought } };
  const taken = await services.signIns.pending.swap(answered, version);
  if (taken === null) return refuse(services, pending, 'state_used', 'sign_in_used', true);
  const about = { server: pending.serverName, workspace: pending.origin.workspace };
  let exchanged: ExchangedSignIn;
  try {
    exchanged = await exchange(services, pending, taken, judgeResponse(answer, pending.server).code, brought);
  } catch (error) {
    const shown = await failed(services, { pending: answered, version: taken }, error, answer.error);
    if (shown instanceof Fault && shown.code === 'authorization_refused') return { ...about, signedIn: false, usable: false, sentence: shown.message };
    throw shown;
  }
  await putOnRecord(services, exchanged);
  return { ...about, ...(await tellSignedIn(services, exchanged.pending)) };
}

/** Gets the tokens, and puts them where a start finds them that has to go on; those that cannot be kept are revoked. */
async function exchange(services: OwnerServices, pending: AwaitedAnswer['pending'], version: string, code: string, brought: BroughtDigests): Promise<ExchangedSignIn> {
  const { handler, signIns } = services;
  const { signInId, serverId, origin, resource, server, client } = pending;
  const { audience } = pending.phase;
  const tokens = await tokensFor(services, pending, code);
  const exchanged = { ...pending, phase: { kind: 'exchanged', audience, brought, tokens } } as const;
  try {
    const stored = await signIns.pending.swap(exchanged, version);
    if (stored === null) throw new Error('a sign-in changed while its answer was exchanged');
    return { pending: exchanged, version: stored };
  } catch (error) {
    await giveUpTokens({ handler, authorization: signIns.authorization }, { serverId, workspace: origin.workspace, url: resource }, { signInId, server, client, tokens }, 'not_kept');
    throw error;
  }
}

async function tokensFor(services: OwnerServices, { serverId, origin, server, client, redirectUri, resource, phase }: AwaitedAnswer['pending'], code: string): Promise<TokenSet> {
  const stored = await services.secrets.get(serverId);
  if (stored === null) throw new Fault('failed', 'server_removed', 'The server was removed while you signed in, so nothing was kept.');
  if ((await services.vault.keyOf(signerOf(origin))) === null) throw new Fault('failed', 'signer_erased', 'The person who began was erased while signing in, so nothing was kept.');
  const fetch = openAuthorizationFetch({ url: stored.url, workspace: origin.workspace }, services.signIns.authorization);
  try {
    const request = { server, client, redirectUri, code, verifier: phase.verifier, resource, now: services.clock.now() };
    return await exchangeCode(request, fetch, new AbortController().signal);
  } finally {
    await fetch.close();
  }
}

/**
 * Ends a sign-in whose answer did not bring tokens.
 * @param said the error that the authorization server sent the browser back with
 */
async function failed(services: OwnerServices, signIn: VersionedSignIn, error: unknown, said: string | null): Promise<unknown> {
  const { clients } = services.signIns;
  const { origin, server, client } = signIn.pending;
  const { code, message } = knownFault(error, signIn.pending);
  if (code === 'invalid_client') await clients.forget(origin.workspace, server.issuer, client.clientId);
  // Somebody said no there, so it knows this client, and need not be asked to register another one.
  if (code === 'authorization_refused' && said === 'access_denied' && client.source === 'registered') await clients.put(origin.workspace, server.issuer, { client, isAnswered: true }).catch(() => undefined);
  // What cannot be put on record now, a later look or the next start does; who waits is told in any case.
  await failSignIn(services, signIn, code, message).catch(() => false);
  return tellFailed(services, signIn.pending, error);
}
