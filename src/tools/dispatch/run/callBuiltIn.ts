import type { JsonObject } from '../../../platform/json.js';
import type { ToolCallCommand } from '../../../commands/toolCall/toolCall.js';
import type { CallAnswer } from '../../call.js';
import type { ToolSubject } from '../../availability/facts.js';
import type { BuiltInTool, ToolAnswer } from '../../tool.js';
import { begin } from '../begin/beginnings.js';
import { builtInEnding } from '../ending/builtInEnding.js';
import type { Call } from '../begin/call.js';
import { cancelledEnd, honestEnd } from '../ending/endOf.js';
import type { Ended } from '../ending/ended.js';
import { finish, notBegun, runFacts, type Flow } from '../flow.js';
import { gateClosed } from './gateClosed.js';
import type { Judged } from '../begin/judged.js';
import { raceRun } from './raceRun.js';
import { within } from '../../../platform/time/within.js';
import { recordedRoute } from '../begin/route.js';

/** How long the admission of a read-only local tool may wait for its ending, so that both are one append. */
const togetherMs = 50;
/** How long a tool that was told to stop may take to say what it did. */
const graceMs = 1_000;

/** A call of a built-in tool that passed every gate. */
export interface BuiltInCall {
  readonly subject: ToolSubject & { readonly kind: 'builtin' };
  readonly tool: BuiltInTool;
  /** As the tool's own validation gave them. */
  readonly values: JsonObject;
  readonly judged: Judged;
}

/** Runs a built-in tool and records it. */
export async function callBuiltIn(flow: Flow, call: Call, what: BuiltInCall): Promise<CallAnswer> {
  return what.tool.effects === 'readOnlyLocal' ? callReadOnly(flow, call, what) : callWithEffects(flow, call, what);
}

/** Nothing is changed by the run, so it need not wait for its admission; its result does. */
async function callReadOnly(flow: Flow, call: Call, what: BuiltInCall): Promise<CallAnswer> {
  const { handler, schedule } = flow.parts;
  const admit = admission(flow, call, what);
  const running = run(flow, call, what);
  const early = await within(running, togetherMs, schedule);
  const begun = await begin(handler, call, early === null ? [admit] : [admit, early.command]);
  if (begun.kind !== 'recorded') return notBegun(flow, call, what.judged, begun);
  return early === null ? finish(flow, call, await running) : { callId: call.callId, ...early.answer };
}

async function callWithEffects(flow: Flow, call: Call, what: BuiltInCall): Promise<CallAnswer> {
  const started = flow.parts.clock.now();
  const begun = await begin(flow.parts.handler, call, [admission(flow, call, what)]);
  if (begun.kind !== 'recorded') return notBegun(flow, call, what.judged, begun);
  const closed = await gateClosed(flow, call, what.subject, started);
  if (closed !== null) return finish(flow, call, closed);
  if (call.stop.signal.aborted) return finish(flow, call, cancelledEnd(runFacts(flow, call, started)));
  return finish(flow, call, await run(flow, call, what));
}

async function run(flow: Flow, call: Call, { tool, values }: BuiltInCall): Promise<Ended> {
  const { clock, schedule, timeouts, randomInt } = flow.parts;
  const started = clock.now();
  const outcome = await raceRun<ToolAnswer>(
    (signal) => tool.execute(values, { workspace: call.origin.workspace, signal, randomInt }),
    { timeoutMs: timeouts.builtInMs, graceMs, stop: call.stop, schedule },
  );
  return honestEnd(runFacts(flow, call, started), (facts) => builtInEnding(outcome, tool.effects, facts));
}

function admission({ parts: { clock, timeouts } }: Flow, call: Call, { subject, judged: { kept, basis } }: BuiltInCall): ToolCallCommand {
  const data = { tool: subject.name, route: recordedRoute(subject), deadline: clock.now() + timeouts.builtInMs, basis, ...kept.data };
  return { type: 'Admit', data, subject: call.subject, personal: kept.personal };
}
