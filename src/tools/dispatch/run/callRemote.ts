import { mcpServersDecider, mcpServersStream } from '../../../commands/mcpServers/mcpServers.js';
import type { ToolCallCommand } from '../../../commands/toolCall/toolCall.js';
import { storeTroubleOf } from '../../../commands/handler/storeTrouble.js';
import type { JsonObject } from '../../../platform/json.js';
import { judge } from '../../availability.js';
import { completeCommands } from '../../availability/completeCommands.js';
import { subjectsOf, type ToolSubject, type WorkspaceFacts } from '../../availability/facts.js';
import { makeWorld } from '../../availability/world.js';
import type { CallAnswer } from '../../call.js';
import type { Reached } from '../../reachServers.js';
import type { OfferedTool, RemoteServer, ToolListing } from '../../remoteTools.js';
import { loadWorkspaceFacts } from '../../workspaceFacts.js';
import { begin } from '../begin/beginnings.js';
import { askerOf, type Call } from '../begin/call.js';
import { cancelledEnd, honestEnd, messageOf } from '../ending/endOf.js';
import type { Ended } from '../ending/ended.js';
import { finish, notBegun, runFacts, type Flow } from '../flow.js';
import { gateClosed } from './gateClosed.js';
import type { Judged, Refusal } from '../begin/judged.js';
import { keptOfRemote, type Kept } from '../begin/kept.js';
import { refusalOf } from '../begin/refusalOf.js';
import { judgeUrlArguments } from './judgeUrlArguments.js';
import { raceRun } from './raceRun.js';
import { remoteEnding } from '../ending/remoteEnding.js';
import { refuseCall } from '../refusing/refuseCall.js';
import { recordedRoute } from '../begin/route.js';
import { systemOrigin } from '../../../commands/commandHandler.js';

/** The port keeps the time of a call itself; this is for a port that does not come back. */
const portGraceMs = 1_000;

type RemoteSubject = ToolSubject & { readonly kind: 'mcp' };

/** A call of a server's tool that was judged usable. */
export interface RemoteCall {
  readonly subject: RemoteSubject;
  readonly args: JsonObject;
  readonly judged: Judged;
}

/** A call that was verified against what the server offers now. */
interface VerifiedCall extends RemoteCall {
  readonly outputSchema: JsonObject | undefined;
}

/** Connects, verifies again, records the admission, looks at the gates once more, sends, and records the ending. */
export async function callRemote(flow: Flow, call: Call, what: RemoteCall): Promise<CallAnswer> {
  const started = flow.parts.clock.now();
  const server: RemoteServer = { workspace: call.origin.workspace, serverId: what.subject.serverId, name: what.subject.serverName };
  const connected = await connect(flow, call, server);
  if (!connected.ok) return refuseCall(flow, call, what.judged, refusalOfConnect(connected, call.stop.signal));
  const verified = await verify(flow, call, what, connected.listing);
  if ('reasons' in verified) return refuseCall(flow, call, what.judged, verified);
  const begun = await begin(flow.parts.handler, call, [admission(flow, call, verified)]);
  if (begun.kind !== 'recorded') return notBegun(flow, call, verified.judged, begun);
  const closed = await gateClosed(flow, call, verified.subject, started);
  if (closed !== null) return finish(flow, call, closed);
  if (call.stop.signal.aborted) return finish(flow, call, cancelledEnd(runFacts(flow, call, started)));
  const answer = await finish(flow, call, await send(flow, call, server, verified));
  return { ...answer, thirdParty: server.name };
}

/** Registration, definition and switch as they are after connecting, which may have taken a while. */
async function verify(flow: Flow, call: Call, what: RemoteCall, listing: ToolListing): Promise<VerifiedCall | Refusal> {
  const { handler, registry, policy, clock } = flow.parts;
  const facts = await loadWorkspaceFacts(handler, call.origin.workspace, clock.now());
  const world = makeWorld(facts, registry, policy, askerOf(call));
  const subject = currentSubject(what.subject, facts) ?? what.subject;
  const refusal = refusalOf(judge(subject, world), world);
  if (refusal !== null) return refusal;
  const offered = listing.tools.find((tool) => tool.hash === subject.definition);
  const judged = { tool: subject.name, route: recordedRoute(subject), kept: keptAs(call, what, offered), basis: facts.basis };
  const urls = await judgeUrlArguments(world.server(subject.serverId)?.kind ?? null, what.args, offered?.definition.inputSchema ?? {}, flow.parts);
  return urls ?? { subject, args: what.args, judged, outputSchema: offered?.definition.outputSchema };
}

/** The arguments were redacted by the definition known before; a changed one may name other keys. */
function keptAs(call: Call, what: RemoteCall, offered: OfferedTool | undefined): Kept {
  if (offered === undefined || offered.hash === what.subject.definition) return what.judged.kept;
  return keptOfRemote(call, what.args, offered.definition.inputSchema);
}

function currentSubject({ serverId, name }: RemoteSubject, facts: WorkspaceFacts): RemoteSubject | undefined {
  const server = facts.servers?.find((known) => known.serverId === serverId);
  return server === undefined ? undefined : subjectsOf(server).find((subject) => subject.name === name);
}

async function connect({ parts }: Flow, call: Call, server: RemoteServer): Promise<Reached> {
  try {
    return await parts.reach.reach(server, call.stop.signal);
  } catch (error) {
    if (storeTroubleOf(error) !== null) throw error;
    return { ok: false, class: 'protocol_error', message: messageOf(error), retryAfterMs: null };
  }
}

function refusalOfConnect(outcome: Reached & { readonly ok: false }, signal: AbortSignal): Refusal {
  if (signal.aborted) return { reasons: ['cancelled'] };
  return { reasons: [outcome.class === 'not_dialled' ? outcome.reason : `server_${outcome.class}`], detail: outcome.message };
}

async function send(flow: Flow, call: Call, server: RemoteServer, { subject, args, outputSchema }: VerifiedCall): Promise<Ended> {
  const { clock, remote, schedule, timeouts } = flow.parts;
  const started = clock.now();
  const outcome = await raceRun(
    async (signal) => {
      const options = { timeoutMs: timeouts.remoteMs, signal, onProgress: call.onProgress, ...(outputSchema !== undefined && { outputSchema }) };
      const answer = await remote.call(server, subject.remoteName, args, options);
      if (answer.kind === 'rejected' && answer.code === 'session_expired') await noteExpired(flow, server);
      return 'message' in answer ? { ...answer, message: completeCommands(answer.message, { workspace: server.workspace, server: server.name, tool: subject.name }) } : answer;
    },
    { timeoutMs: timeouts.remoteMs + portGraceMs, graceMs: portGraceMs, stop: call.stop, schedule },
  );
  return honestEnd(runFacts(flow, call, started), (facts) => remoteEnding(outcome, facts));
}

/** Beside the call: that it cannot be noted changes nothing about the answer. */
async function noteExpired({ parts: { handler, warn } }: Flow, { workspace, serverId }: RemoteServer): Promise<void> {
  const origin = systemOrigin(workspace);
  try {
    await handler.execute(mcpServersDecider, mcpServersStream(workspace), [{ type: 'RecordSessionExpired', serverId }], origin);
  } catch (error) {
    warn({ serverId, error: messageOf(error) }, 'that a session expired could not be recorded');
  }
}

function admission({ parts: { clock, timeouts } }: Flow, call: Call, { subject, judged: { kept, basis } }: RemoteCall): ToolCallCommand {
  const data = { tool: subject.name, route: recordedRoute(subject), deadline: clock.now() + timeouts.remoteMs, basis, ...kept.data };
  return { type: 'Admit', data, subject: call.subject, personal: kept.personal };
}
