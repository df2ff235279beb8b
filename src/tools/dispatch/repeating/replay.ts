import type { ResultShape } from '../../../events/catalogue/toolCall.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { cancelledAnswer, failedAnswer, inProgressAnswer, refusedAnswer, unknownAnswer, type AnswerBody } from '../ending/answers.js';
import type { RecordedCallEvent } from './ledgerRecords.js';

const dropped = 'A call with this id is on record, but what it was is not kept any more. It was not run again; use a new id for a new call.';
const erased = 'Its text is not kept any more.';

/**
 * Answers a repeated call from its record: the recorded ending with the preview that was kept, or that it is still
 * running. The tool does not run again.
 * @param events of the call's stream, in order
 */
export function replayedAnswer(events: readonly RecordedCallEvent[]): AnswerBody {
  const last = events.at(-1);
  if (last?.type === 'PayloadDropped') return failedAnswer('call_dropped', dropped);
  if (last === undefined || last.type === 'ToolCallAdmitted') return inProgressAnswer();
  const [first] = events;
  const remote = first?.type === 'ToolCallAdmitted' && first.data.route.kind === 'mcp' ? first.data.route : null;
  return { ...endingOf(last, remote !== null), ...(remote !== null && { thirdParty: remote.serverName }), replayed: true };
}

function endingOf(event: Exclude<RecordedCallEvent, { type: 'ToolCallAdmitted' | 'PayloadDropped' }>, remote: boolean): AnswerBody {
  const { personal } = event;
  switch (event.type) {
    case 'ToolCallRefused': {
      const [first = 'refused', ...others] = event.data.reasons;
      return refusedAnswer([first, ...others], textIn(personal, 'detail') ?? undefined);
    }
    case 'ToolCallSucceeded':
      return succeeded(personal, event.data.result, remote);
    case 'ToolCallFailed':
      return failedAnswer(event.data.code, textIn(personal, 'error') ?? erased);
    case 'ToolCallCancelled':
      return cancelledAnswer(event.data.by);
    case 'ToolCallOutcomeUnknown':
      return unknownAnswer(event.data.cause, textIn(personal, 'error'));
    case 'ToolCallOutcomeSettled': {
      const { verdict, source, result } = event.data;
      const told = textIn(personal, 'because') ?? textIn(personal, 'preview');
      const ending = verdict === 'succeeded' ? succeeded(personal, result, remote) : failedAnswer('settled_failed', told ?? erased);
      return { ...ending, settled: source };
    }
  }
}

/** A result in the shape it first had, as far as its preview goes: structured data, text, or content parts. */
function succeeded(personal: JsonObject | null, result: ResultShape | null, remote: boolean): AnswerBody {
  const preview = textIn(personal, 'preview');
  if (preview === null) return { status: 'succeeded', success: true };
  if (remote) return { status: 'succeeded', success: true, content: [{ type: 'text', text: preview }] };
  const whole = result !== null && !result.previewCut && result.kinds.includes('structured');
  return { status: 'succeeded', success: true, data: whole ? (JSON.parse(preview) as JsonValue) : preview };
}

function textIn(personal: JsonObject | null, field: string): string | null {
  const text = personal?.[field];
  return typeof text === 'string' ? text : null;
}
