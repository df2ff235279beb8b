import type { JsonObject } from '../../platform/json.js';
import { cancelledAnswer, failedAnswer, inProgressAnswer, refusedAnswer, unknownAnswer, type AnswerBody } from './answers.js';
import type { RecordedCallEvent } from './ledgerRecords.js';

const erased = 'Its text is not kept any more.';

/**
 * Answers a repeated call from its record: the recorded ending with the preview that was kept, or that it is still
 * running. The tool does not run again.
 * @param events of the call's stream, in order
 */
export function replayedAnswer(events: readonly RecordedCallEvent[]): AnswerBody {
  const last = events.at(-1);
  if (last === undefined || last.type === 'ToolCallAdmitted') return inProgressAnswer();
  return { ...endingOf(last), replayed: true };
}

function endingOf(event: Exclude<RecordedCallEvent, { type: 'ToolCallAdmitted' }>): AnswerBody {
  const { personal } = event;
  switch (event.type) {
    case 'ToolCallRefused': {
      const [first = 'refused', ...others] = event.data.reasons;
      return refusedAnswer([first, ...others], textIn(personal, 'detail') ?? undefined);
    }
    case 'ToolCallSucceeded':
      return succeeded(personal);
    case 'ToolCallFailed':
      return failedAnswer(event.data.code, textIn(personal, 'error') ?? erased);
    case 'ToolCallCancelled':
      return cancelledAnswer(event.data.by);
    case 'ToolCallOutcomeUnknown':
      return unknownAnswer(event.data.cause);
    case 'ToolCallOutcomeSettled':
      return event.data.verdict === 'succeeded'
        ? succeeded(personal)
        : failedAnswer('settled_failed', textIn(personal, 'because') ?? textIn(personal, 'preview') ?? erased);
  }
}

function succeeded(personal: JsonObject | null): AnswerBody {
  const preview = textIn(personal, 'preview');
  return { status: 'succeeded', success: true, ...(preview === null ? {} : { data: preview }) };
}

function textIn(personal: JsonObject | null, field: string): string | null {
  const text = personal?.[field];
  return typeof text === 'string' ? text : null;
}
