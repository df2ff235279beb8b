import { toolCallDecider } from '../../../commands/toolCall/toolCall.js';
import type { CallIdentity } from '../../../commands/toolCall/toolCallState.js';
import type { CallAnswer } from '../../call.js';
import { loadWorkspaceFacts } from '../../workspaceFacts.js';
import { inProgressAnswer } from '../ending/answers.js';
import type { Call } from './call.js';
import { callBuiltIn } from '../run/callBuiltIn.js';
import { callRemote } from '../run/callRemote.js';
import type { Flow } from '../flow.js';
import { planCall, type Plan } from './planCall.js';
import { refuseCall } from '../refusing/refuseCall.js';
import { refuseConflict } from '../repeating/repeatCall.js';

/**
 * The way of one call from its judgement to its answer. A call whose id was used before never runs again, also while
 * the first one is still on its way.
 */
export function judgeCall(flow: Flow): (call: Call) => Promise<CallAnswer> {
  const underWay = new Map<string, CallIdentity>();

  async function once(call: Call, plan: Plan): Promise<CallAnswer> {
    const { tool, kept } = plan.judged;
    const identity = { tool, argumentsDigest: kept.data.argumentsDigest };
    const other = underWay.get(call.callId);
    if (other !== undefined) {
      const same = other.tool === identity.tool && other.argumentsDigest === identity.argumentsDigest;
      return same ? { callId: call.callId, ...inProgressAnswer() } : refuseConflict(flow, call, plan.judged);
    }
    underWay.set(call.callId, identity);
    try {
      const { state } = await flow.parts.handler.load(toolCallDecider, call.stream);
      return state.kind === 'none' ? await carryOut(flow, call, plan) : await flow.repeat(call, plan.judged, state);
    } finally {
      underWay.delete(call.callId);
    }
  }

  return async (call) => {
    const facts = await loadWorkspaceFacts(flow.parts.handler, call.origin.workspace, flow.parts.clock.now());
    const plan = await planCall(call, facts, flow.parts);
    return call.given ? once(call, plan) : carryOut(flow, call, plan);
  };
}

async function carryOut(flow: Flow, call: Call, plan: Plan): Promise<CallAnswer> {
  switch (plan.kind) {
    case 'refuse':
      return refuseCall(flow, call, plan.judged, plan.refusal);
    case 'builtIn':
      return callBuiltIn(flow, call, plan);
    case 'remote':
      return callRemote(flow, call, plan);
  }
}
