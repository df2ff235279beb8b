import { toolCallDecider } from '../../commands/toolCall/toolCall.js';
import type { ToolCallState } from '../../commands/toolCall/toolCallState.js';
import type { CallAnswer } from '../call.js';
import { failedAnswer } from './ending/answers.js';
import type { Begun } from './begin/beginnings.js';
import type { Call } from './begin/call.js';
import { messageOf } from './ending/endOf.js';
import { settlementOf, type Ended, type RunFacts } from './ending/ended.js';
import type { Endings } from './ending/endings.js';
import type { Judged } from './begin/judged.js';
import type { DispatchParts } from './parts.js';
import type { Refusals } from './refusing/refusals.js';

/** What the steps of a call share. */
export interface Flow {
  readonly parts: DispatchParts;
  readonly endings: Endings;
  readonly refusals: Refusals;
  /** Answers a call whose id was used before from its record. */
  readonly repeat: (call: Call, judged: Judged, state?: ToolCallState) => Promise<CallAnswer>;
}

/** Records the ending and answers; the caller gets the result even when the ledger cannot take the ending. */
export async function finish(flow: Flow, call: Call, ended: Ended): Promise<CallAnswer> {
  const recorded = await flow.endings.end(call, ended.command);
  if (recorded && ended.late !== null) settleLate(flow.parts, call, ended.late);
  return { callId: call.callId, ...ended.answer, ...(recorded ? {} : { unrecorded: true }) };
}

/** The answer of a call that did not begin. */
export async function notBegun(flow: Flow, call: Call, judged: Judged, begun: Exclude<Begun, { readonly kind: 'recorded' }>): Promise<CallAnswer> {
  if (begun.kind === 'exists') return flow.repeat(call, judged, begun.state);
  return { callId: call.callId, ...failedAnswer(begun.trouble.code, begun.trouble.message) };
}

/** What an ending is told of a run that began at `started` and is over now. */
export function runFacts({ parts: { clock } }: Flow, call: Call, started: number): RunFacts {
  return { subject: call.subject, durationMs: Math.max(0, clock.now() - started), by: call.stop.signal.reason === 'shutdown' ? 'shutdown' : 'caller' };
}

function settleLate({ handler, warn }: DispatchParts, call: Call, late: Promise<Ended>): void {
  late
    .then(async (ended) => {
      const settlement = settlementOf(ended);
      if (settlement !== null) await handler.execute(toolCallDecider, call.stream, [settlement], call.origin);
    })
    .catch((error: unknown) => warn({ callId: call.callId, error: messageOf(error) }, 'a late answer could not be recorded'));
}
