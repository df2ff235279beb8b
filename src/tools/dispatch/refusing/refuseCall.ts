import type { CallAnswer } from '../../call.js';
import type { Call } from '../begin/call.js';
import type { Flow } from '../flow.js';
import type { Judged, Refusal } from '../begin/judged.js';

/** Records a refusal and answers it; when the id turns out to be used, the call is answered from its record. */
export async function refuseCall(flow: Flow, call: Call, judged: Judged, refusal: Refusal): Promise<CallAnswer> {
  const answer = await flow.refusals.refuse(call, judged, refusal);
  return answer === 'exists' ? flow.repeat(call, judged) : answer;
}
