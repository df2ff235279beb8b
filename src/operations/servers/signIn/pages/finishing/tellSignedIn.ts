import { mcpServersDecider, mcpServersStream } from '../../../../../commands/mcpServers/mcpServers.js';
import { serverById, type McpServer } from '../../../../../commands/mcpServers/mcpServersState.js';
import { mcpSignInDecider, mcpSignInStream } from '../../../../../commands/mcpSignIn/mcpSignIn.js';
import { offlineAccess } from '../../../../../commands/mcpSignIn/mcpSignInState.js';
import type { TokenSet } from '../../../../../mcp/client/authorization/tokens/tokenAnswer.js';
import { Fault } from '../../../../../platform/fault.js';
import { counted } from '../../../../../platform/text/counted.js';
import { othersNames } from '../../../../../platform/text/othersNames.js';
import type { Reached } from '../../../../../tools/reachServers.js';
import type { OwnerServices } from '../../../../services.js';
import { commandIn } from '../../../../words.js';
import { toolsFound } from '../../../registering/toolsFound.js';
import type { ExchangedSignIn } from '../../ending/completeSignIn.js';
import type { SignInOutcome } from '../../signInOutcomes.js';
import { knownFault } from './knownFault.js';

type Pending = ExchangedSignIn['pending'];

/** What a page says of an account that is on record. */
export interface ToldSignIn {
  /** False: it is not there any more. */
  readonly signedIn: boolean;
  /** Whether the server can be used with the account. */
  readonly usable: boolean;
  readonly sentence: string;
}

/**
 * Looks what a server offers with the account that was just put on record, and tells who began.
 * @throws Fault `signed_in_unseen` when that could not be looked at; who began is told that they are signed in all the same
 */
export async function tellSignedIn(services: OwnerServices, pending: Pending): Promise<ToldSignIn> {
  const { signInId, serverName: name } = pending;
  const tell = (outcome: SignInOutcome): void => services.signIns.outcomes.tell(signInId, outcome);
  try {
    const { outcome, ...shown } = await lookWith(services, pending);
    tell({ ...outcome, message: shown.sentence });
    return shown;
  } catch (error) {
    const { code, message: why } = knownFault(error, pending);
    const message = `Signed in to ${name}, but it cannot be used yet: ${why}`;
    tell({ status: 'signed_in_unusable', reason: code, missing: [], message, found: null });
    throw new Fault('failed', 'signed_in_unseen', message, { server: name, workspace: pending.origin.workspace }, { cause: error });
  }
}

type Looked = ToldSignIn & { readonly outcome: Omit<SignInOutcome, 'message'> };

async function lookWith(services: OwnerServices, pending: Pending): Promise<Looked> {
  const { serverId, serverName: name, origin, scopes: asked, phase } = pending;
  const { workspace } = origin;
  // One that began before the account was there says nothing of it.
  await services.reach.settled(serverId);
  // A browser that goes away ends nothing.
  const reached = await services.reach.reach({ workspace, serverId, name }, new AbortController().signal, origin);
  const servers = await services.handler.load(mcpServersDecider, mcpServersStream(workspace));
  const registered = serverById(servers.state, serverId);
  const gone = await goneMeanwhile(services, pending, registered);
  if (gone !== null) return gone;
  const sentence = [
    reached.ok ? `Signed in to ${name}; it offers ${counted(reached.listing.tools.length, 'tool')}.` : `Signed in to ${name}, but it cannot be used yet: ${reached.message}`,
    ...(reached.ok || reached.class === 'needs_reauthorization' ? [] : [`When that is put right, \`${commandIn(workspace, `mcp refresh ${name}`)}\` looks again.`]),
    ...notGranted(asked, phase.tokens),
    ...(registered?.status === 'disabled' ? [`It is disabled: \`${commandIn(workspace, `mcp enable ${name}`)}\` puts it to use.`] : []),
  ].join(' ');
  if (!reached.ok) return { signedIn: true, usable: false, sentence, outcome: { status: 'signed_in_unusable', ...reasonOf(reached), found: null } };
  const found = await toolsFound(services, { kind: 'listed', listing: reached.listing }, workspace, serverId);
  return { signedIn: true, usable: true, sentence, outcome: { status: 'signed_in', reason: null, missing: [], found } };
}

function reasonOf(reached: Reached & { readonly ok: false }): Pick<SignInOutcome, 'reason' | 'missing'> {
  return reached.class === 'not_dialled' ? { reason: reached.reason, missing: [] } : { reason: reached.class, missing: reached.scopesMissing ?? [] };
}

/** What became of an account that is not in use any more; null: it is. */
async function goneMeanwhile({ handler }: Pick<OwnerServices, 'handler'>, { signInId, serverId, serverName: name, origin: { workspace } }: Pending, registered: McpServer | undefined): Promise<Looked | null> {
  const { grant } = (await handler.load(mcpSignInDecider, mcpSignInStream(serverId))).state;
  const gone = (reason: string, sentence: string): Looked => ({ signedIn: false, usable: false, sentence, outcome: { status: 'failed', reason, missing: [], found: null } });
  if (registered === undefined) return gone('server_removed', `You signed in to ${name}, and the server was removed at the same time: the account is not used.`);
  if (grant === null) return gone('signed_out', `You signed in to ${name}, and it was signed out, or given a token, at the same time: the account is not used. \`${commandIn(workspace, `mcp history ${name}`)}\` shows who did that.`);
  if (grant.signInId !== signInId) return gone('signed_in_elsewhere', `Another sign-in at ${name} went through at the same time, and its account is used in place of yours. \`${commandIn(workspace, 'mcp list')}\` shows whose it is.`);
  return null;
}

/** Fewer scopes than were asked for is no failure, and may be why a tool refuses later. */
function notGranted(asked: readonly string[] | null, { scopes, refreshToken }: TokenSet): readonly string[] {
  const missing = (scopes === null ? [] : (asked ?? []).filter((scope) => !scopes.includes(scope))).filter((scope) => scope !== offlineAccess || refreshToken === null);
  return missing.length === 0 ? [] : [`Not granted, though asked for: ${othersNames(missing)}.`];
}
