import { allSubjects, judge, withReason, type Verdict } from '../../availability.js';
import type { WorkspaceFacts } from '../../availability/facts.js';
import { makeWorld, type World } from '../../availability/world.js';
import { askerOf, type Call } from './call.js';
import type { BuiltInCall } from '../run/callBuiltIn.js';
import type { RemoteCall } from '../run/callRemote.js';
import { undiscoveredServers } from '../declareWorkspace.js';
import { validateArguments } from './invalidArguments.js';
import type { Judged, Refusal } from './judged.js';
import { keptOfBadArguments, keptOfBuiltIn, keptOfRemote, keptOfUnknownTool } from './kept.js';
import { unknownToolMessage } from './nearestTool.js';
import { refusalOf } from './refusalOf.js';
import type { DispatchParts } from '../parts.js';
import { recordedRoute, routeOf } from './route.js';

/** What is to be done with a call. */
export type Plan =
  | { readonly kind: 'refuse'; readonly judged: Judged; readonly refusal: Refusal }
  | ({ readonly kind: 'builtIn' } & BuiltInCall)
  | ({ readonly kind: 'remote' } & RemoteCall);

type PlanParts = Pick<DispatchParts, 'registry' | 'policy' | 'records'>;

/** Routes and judges a call and redacts its arguments, in this order. Nothing is recorded or run yet. */
export async function planCall(call: Call, facts: WorkspaceFacts, parts: PlanParts): Promise<Plan> {
  const world = makeWorld(facts, parts.registry, parts.policy, askerOf(call));
  const verdict = routeOf(call.request.tool, world, parts.registry);
  if (verdict === null) return planUnknown(call, world, parts);
  return verdict.subject.kind === 'builtin' ? planBuiltIn(call, verdict, verdict.subject, world, parts) : planRemote(call, verdict, verdict.subject, world, parts);
}

function planUnknown(call: Call, world: World, { registry }: PlanParts): Plan {
  const judged = { tool: null, route: null, kept: keptOfUnknownTool(call), basis: world.facts.basis };
  // A server may offer the tool; while nobody can look, "there is no such tool" would be a guess.
  if (world.facts.servers === null) return { kind: 'refuse', judged, refusal: { reasons: ['registration_unverified'] } };
  const usable = allSubjects(world, registry).filter((subject) => judge(subject, world).available);
  const undiscovered = undiscoveredServers(world.facts).map((server) => server.serverName);
  const detail = unknownToolMessage(call.request.tool, usable.map((subject) => subject.name), undiscovered);
  return { kind: 'refuse', judged, refusal: { reasons: ['unknown_tool'], detail } };
}

function planBuiltIn(call: Call, verdict: Verdict, subject: BuiltInCall['subject'], world: World, { registry }: PlanParts): Plan {
  const tool = registry.find(subject.name)?.tool;
  const read = call.arguments;
  const checked = tool === undefined || !read.ok ? null : validateArguments(tool, read.args);
  const kept = tool === undefined || !read.ok ? keptOfBadArguments(call) : keptOfBuiltIn(call, tool, read.args, checked?.ok === true);
  const judged = judgedAs(verdict, kept, world);
  const refusal = refusalOf(verdict, world) ?? argumentsRefusal(read.ok ? null : read.problem) ?? argumentsRefusal(checked?.ok === false ? checked.problem : null);
  if (refusal !== null || tool === undefined || checked?.ok !== true) {
    return { kind: 'refuse', judged, refusal: refusal ?? { reasons: ['unknown_tool'] } };
  }
  return { kind: 'builtIn', subject, tool, values: checked.values, judged };
}

async function planRemote(call: Call, verdict: Verdict, subject: RemoteCall['subject'], world: World, { records }: PlanParts): Promise<Plan> {
  const read = call.arguments;
  const text = await records.definition(subject.definition);
  const kept = read.ok ? keptOfRemote(call, read.args, text?.inputSchema ?? {}) : keptOfBadArguments(call);
  const judged = judgedAs(verdict, kept, world);
  const refusal = refusalOf(text === null ? withReason(verdict, 'definition_missing') : verdict, world) ?? argumentsRefusal(read.ok ? null : read.problem);
  if (refusal !== null || !read.ok) return { kind: 'refuse', judged, refusal: refusal ?? { reasons: ['invalid_arguments'] } };
  return { kind: 'remote', subject, args: read.args, judged };
}

function judgedAs({ subject }: Verdict, kept: Judged['kept'], { facts: { basis } }: World): Judged {
  return { tool: subject.name, route: recordedRoute(subject), kept, basis };
}

function argumentsRefusal(problem: string | null): Refusal | null {
  return problem === null ? null : { reasons: ['invalid_arguments'], detail: problem };
}
