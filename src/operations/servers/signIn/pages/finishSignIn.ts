import { z } from 'zod';
import { mcpServersDecider, mcpServersStream } from '../../../../commands/mcpServers/mcpServers.js';
import { serverById } from '../../../../commands/mcpServers/mcpServersState.js';
import { AuthorizationFault } from '../../../../mcp/client/authorization/authorizationFault.js';
import { openAuthorizationFetch } from '../../../../mcp/client/authorization/authorizationFetch.js';
import { judgeResponse } from '../../../../mcp/client/authorization/authorizationResponse.js';
import type { TokenSet } from '../../../../mcp/client/authorization/tokens/tokenAnswer.js';
import { exchangeCode } from '../../../../mcp/client/authorization/tokens/tokens.js';
import { counted } from '../../../../platform/text/counted.js';
import { othersNames } from '../../../../platform/text/othersNames.js';
import { Fault } from '../../../../platform/fault.js';
import { operation } from '../../../operation.js';
import type { OwnerServices } from '../../../services.js';
import { offlineAccess } from '../../../../mcp/client/authorization/wantedScopes.js';
import { toolsFound } from '../../registering/foundTools.js';
import { signerOf } from '../adminText.js';
import { awaitedAnswer, broughtBack, type AwaitedAnswer } from './answeredSignIn.js';
import { broughtDigests } from './broughtDigests.js';
import { completeSignIn, type ExchangedSignIn } from '../ending/completeSignIn.js';
import { failSignIn } from '../ending/endSignIn.js';
import { isSame, type BroughtDigests, type PendingSignIn, type VersionedSignIn } from '../pendingSignIn.js';
import { refuse } from './recognise.js';

const input = broughtBack.extend({ csrf: z.string().max(200) });
const output = z.object({
  server: z.string(),
  workspace: z.string(),
  /** False: the authorization server said no, and the sign-in is over. */
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
  const answered: PendingSignIn = { ...pending, phase: { kind: 'answered', audience } };
  const taken = await services.signIns.pending.swap(answered, version);
  if (taken === null) return refuse(services, pending, 'state_used', 'sign_in_used', true);
  const about = { server: pending.serverName, workspace: pending.origin.workspace };
  try {
    const exchanged = await exchange(services, pending, taken, judgeResponse(answer, pending.server).code, brought);
    await completeSignIn(services, exchanged);
    return { ...about, signedIn: true, ...(await told(services, exchanged.pending)) };
  } catch (error) {
    const shown = await failed(services, { pending: answered, version: taken }, error);
    if (shown instanceof Fault && shown.code === 'authorization_refused') return { ...about, signedIn: false, usable: false, sentence: shown.message };
    throw shown;
  }
}

/** Gets the tokens, and puts them where a start finds them that has to go on. */
async function exchange(services: OwnerServices, pending: AwaitedAnswer['pending'], version: string, code: string, brought: BroughtDigests): Promise<ExchangedSignIn> {
  const { audience } = pending.phase;
  const phase = { kind: 'exchanged', audience, brought, tokens: await tokensFor(services, pending, code) } as const;
  const exchanged = { ...pending, phase };
  const stored = await services.signIns.pending.swap(exchanged, version);
  if (stored === null) throw new Error('a sign-in changed while its answer was exchanged');
  return { pending: exchanged, version: stored };
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

/** Looks what the server offers with the account, and tells who began. */
async function told(services: OwnerServices, { signInId, serverId, serverName: name, origin, scopes: asked, phase }: ExchangedSignIn['pending']): Promise<{ readonly usable: boolean; readonly sentence: string }> {
  const { workspace } = origin;
  // One that began before the account was there says nothing of it.
  await services.reach.settled(serverId);
  // A browser that goes away ends nothing.
  const reached = await services.reach.reach({ workspace, serverId, name }, new AbortController().signal, origin);
  const { state } = await services.handler.load(mcpServersDecider, mcpServersStream(workspace));
  const parts = [
    reached.ok ? `Signed in to ${name}; it offers ${counted(reached.listing.tools.length, 'tool')}.` : `Signed in to ${name}, but it cannot be used yet: ${reached.message}`,
    ...notGranted(asked, phase.tokens),
    ...(serverById(state, serverId)?.status === 'disabled' ? [`It is disabled: \`toolledger mcp enable ${name}\` puts it to use.`] : []),
  ];
  const message = parts.join(' ');
  const outcome = reached.ok
    ? { status: 'signed_in' as const, reason: null, missing: [], found: await toolsFound(services, { kind: 'listed', listing: reached.listing }, workspace, serverId) }
    : { status: 'signed_in_unusable' as const, reason: reached.class, missing: 'scopesMissing' in reached ? (reached.scopesMissing ?? []) : [], found: null };
  services.signIns.outcomes.tell(signInId, { ...outcome, message });
  return { usable: reached.ok, sentence: message };
}

/** Fewer scopes than were asked for is no failure, and may be why a tool refuses later. */
function notGranted(asked: readonly string[] | null, { scopes, refreshToken }: TokenSet): readonly string[] {
  const missing = (scopes === null ? [] : (asked ?? []).filter((scope) => !scopes.includes(scope))).filter((scope) => scope !== offlineAccess || refreshToken === null);
  return missing.length === 0 ? [] : [`Not granted, though asked for: ${othersNames(missing)}.`];
}

/** Ends a sign-in whose answer did not bring tokens; one that has them has ended already, or is finished by the next start. */
async function failed(services: OwnerServices, signIn: VersionedSignIn, error: unknown): Promise<unknown> {
  const { origin, server, serverName } = signIn.pending;
  const known = error instanceof AuthorizationFault || error instanceof Fault ? error : null;
  const { code, message } = known ?? { code: 'internal_error', message: 'Something went wrong inside; the log says what.' };
  if (code === 'invalid_client') await services.signIns.clients.forget(origin.workspace, server.issuer);
  // What cannot be put on record now, a later look or the next start does; who waits is told in any case.
  const isEnded = await failSignIn(services, signIn, code, message).catch(() => false);
  if (!isEnded) services.signIns.outcomes.tell(signIn.pending.signInId, { status: 'failed', reason: code, missing: [], message, found: null });
  return known === null ? error : new Fault(known instanceof Fault ? known.kind : 'failed', code, message, { server: serverName });
}
