import { redactError } from '../../redaction/redactError.js';
import { cancelledAnswer, failedAnswer, unknownAnswer, type AnswerBody } from './answers.js';
import { capContent, capData, type RawResult } from './cappedResult.js';
import type { Ended, RunFacts } from './ended.js';
import type { EndCommand } from './endings.js';
import { shownResult } from './shownResult.js';

type FailData = Extract<EndCommand, { readonly type: 'Fail' }>['data'];
type Cause = Extract<EndCommand, { readonly type: 'LoseTrack' }>['data']['cause'];

/** An answer arrived and the tool says it worked. */
export function succeededEnd(facts: RunFacts, raw: RawResult): Ended {
  const { result, preview } = shownResult(raw);
  return {
    command: { type: 'Succeed', data: { durationMs: facts.durationMs, result }, subject: facts.subject, personal: { preview } },
    answer: { status: 'succeeded', success: true, ...cappedResult(raw) },
    late: null,
  };
}

/** An answer arrived and it is a failure, or a gate closed before anything was sent. */
export function failedEnd(facts: RunFacts, failure: Pick<FailData, 'party'> & { readonly code: string; readonly message: string; readonly raw?: RawResult }): Ended {
  const { party, message, raw } = failure;
  const code = reasonCode(failure.code);
  const shown = raw === undefined ? null : shownResult(raw);
  return {
    command: {
      type: 'Fail',
      data: { durationMs: facts.durationMs, party, code, result: shown?.result ?? null },
      subject: facts.subject,
      personal: { error: redactError(message), ...(shown === null ? {} : { preview: shown.preview }) },
    },
    answer: { ...failedAnswer(code, message), ...(raw === undefined ? {} : cappedResult(raw)) },
    late: null,
  };
}

/** Provably nothing was sent, or the tool confirmed that it stopped. */
export function cancelledEnd({ durationMs, by }: RunFacts): Ended {
  return { command: { type: 'Cancel', data: { durationMs, by } }, answer: cancelledAnswer(by), late: null };
}

/** Something was sent and no answer is known. */
export function unknownEnd(facts: RunFacts, cause: Cause, error: string | null, late: Promise<Ended> | null): Ended {
  const personal = error === null ? {} : { error: redactError(error) };
  return {
    command: { type: 'LoseTrack', data: { durationMs: facts.durationMs, cause }, subject: facts.subject, personal },
    answer: unknownAnswer(cause, error),
    late,
  };
}

/** The ending that `end` makes of an answer, or, when the answer is nothing that can be read, that it is unknown. */
export function honestEnd(facts: RunFacts, end: (facts: RunFacts) => Ended): Ended {
  try {
    return end(facts);
  } catch (error) {
    return unknownEnd(facts, 'protocol_error', messageOf(error), null);
  }
}

/** The message of whatever was thrown; what is no error is not looked into. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : 'Something was thrown that is no error.';
}

/** Codes of tools and servers are theirs; in the ledger a code has one form. */
function reasonCode(given: string): string {
  const code = given.slice(0, 64).toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^[^a-z]+/, '').replace(/_$/, '');
  return code === '' ? 'tool_error' : code;
}

function cappedResult({ data, content }: RawResult): Pick<AnswerBody, 'data' | 'content' | 'truncated'> {
  const capped = data === undefined ? null : capData(data);
  const parts = content === undefined ? null : capContent(content);
  return {
    ...(capped === null ? {} : { data: capped.value }),
    ...(parts === null ? {} : { content: parts.value }),
    ...(capped?.truncated === true || parts?.truncated === true ? { truncated: true } : {}),
  };
}
