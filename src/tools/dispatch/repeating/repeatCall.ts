import { toolCallDecider, toolCallStream } from '../../../commands/toolCall/toolCall.js';
import { isSameCall, type ToolCallState } from '../../../commands/toolCall/toolCallState.js';
import type { CallAnswer } from '../../call.js';
import { refusedAnswer } from '../ending/answers.js';
import type { Call } from '../begin/call.js';
import type { Flow } from '../flow.js';
import type { Judged } from '../begin/judged.js';
import { replayedAnswer } from './replay.js';

/** Answers a call whose id was used before: from its record when it is the same call, else with a conflict. */
export async function repeatCall(flow: Flow, call: Call, judged: Judged, known?: ToolCallState): Promise<CallAnswer> {
  const state = known ?? (await flow.parts.handler.load(toolCallDecider, call.stream)).state;
  const identity = { tool: judged.tool, argumentsDigest: judged.kept.data.argumentsDigest };
  // Nobody can say any more whether it was the same.
  if (state.kind !== 'dropped' && !isSameCall(state, identity)) return refuseConflict(flow, call, judged);
  return { callId: call.callId, ...replayedAnswer(await flow.parts.records.callEvents(call.stream)) };
}

/** The refusal is a call of its own: the record of the call that has the id stays as it is. */
export async function refuseConflict(flow: Flow, call: Call, judged: Judged): Promise<CallAnswer> {
  const callId = flow.parts.newId();
  const own: Call = { ...call, callId, stream: toolCallStream(callId), given: false };
  const reasons = ['call_id_conflict'] as const;
  const answer = await flow.refusals.refuse(own, judged, { reasons, conflictsWith: call.callId });
  return answer === 'exists' ? { callId, ...refusedAnswer(reasons) } : answer;
}
