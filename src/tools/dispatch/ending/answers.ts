import { cutUtf8 } from '../../../platform/scrub/text/cutUtf8.js';
import type { CallAnswer } from '../../call.js';
import { reasonText } from '../../availability/reasons.js';

/** Most bytes of an error's text that a caller gets. */
const maxMessageBytes = 16 * 1024;

/** An answer before it is known which call it belongs to. */
export type AnswerBody = Omit<CallAnswer, 'callId'>;

/** Nothing was run, and why. `message` defaults to the sentences of the reasons. */
export function refusedAnswer(reasons: readonly [string, ...string[]], message?: string): AnswerBody {
  return { status: 'refused', success: false, error: { code: reasons[0], message: message ?? reasons.map(reasonText).join(' '), reasons } };
}

export function failedAnswer(code: string, message: string): AnswerBody {
  return { status: 'failed', success: false, error: { code, message: cutUtf8(message, maxMessageBytes) } };
}

/** Provably nothing was sent or changed. */
export function cancelledAnswer(by: string): AnswerBody {
  const message = by === 'shutdown' ? 'The call was cancelled because the process is stopping; nothing was sent.' : 'The call was cancelled; nothing was sent.';
  return { status: 'cancelled', success: false, error: { code: 'cancelled', message } };
}

const causes: Readonly<Record<string, string>> = {
  timeout: 'no answer came in time',
  cancelled: 'it was given up after it had been sent',
  crash: 'the process that ran it is gone',
  connection_lost: 'the connection was lost before an answer came',
  server_error: 'the server failed with an HTTP error',
  not_mcp: 'what came back is not MCP',
  protocol_error: 'the answer could not be understood',
  ending_not_stored: 'its ending could not be recorded',
};

/** Causes that say too little alone. */
const explained: readonly string[] = ['server_error', 'not_mcp', 'protocol_error'];

/** Something was sent and nobody knows what became of it. @param detail what came instead of an answer, safe to show */
export function unknownAnswer(cause: string, detail: string | null): AnswerBody {
  const more = detail === null || !explained.includes(cause) ? '' : ` ${detail}`;
  const message = `What became of the call is unknown: ${causes[cause] ?? cause}.${more} The call may have taken effect; look before calling again.`;
  return { status: 'unknown', success: false, error: { code: 'outcome_unknown', message, reasons: [cause] } };
}

export function inProgressAnswer(): AnswerBody {
  return {
    status: 'in_progress',
    success: false,
    error: { code: 'in_progress', message: 'This call is still running; it was not started again. Ask later with the same call id.' },
  };
}
