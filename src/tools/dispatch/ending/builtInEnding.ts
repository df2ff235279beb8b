import { redactError } from '../../redaction/redactError.js';
import type { BuiltInTool, ToolAnswer } from '../../tool.js';
import { cancelledEnd, failedEnd, messageOf, succeededEnd, unknownEnd } from './endOf.js';
import type { Ended, RunFacts } from './ended.js';
import type { RunOutcome, Settled } from '../run/raceRun.js';

/** How the run of a built-in tool ended. */
export function builtInEnding(outcome: RunOutcome<ToolAnswer>, effects: BuiltInTool['effects'], facts: RunFacts): Ended {
  switch (outcome.kind) {
    case 'returned':
    case 'threw':
      return outcome.afterAbort && saysItStopped(outcome) ? cancelledEnd(facts) : answered(outcome, facts);
    case 'timeout':
      if (effects === 'readOnlyLocal') {
        return failedEnd(facts, { party: 'tool', code: 'timeout', message: `The tool did not finish within ${facts.durationMs} ms. It changes nothing, so it may be called again.` });
      }
      return unknownEnd(facts, 'timeout', null, later(outcome.late, facts));
    case 'aborted':
      return effects === 'readOnlyLocal' ? cancelledEnd(facts) : unknownEnd(facts, 'cancelled', null, later(outcome.late, facts));
  }
}

function answered(outcome: Settled<ToolAnswer>, facts: RunFacts): Ended {
  if (outcome.kind === 'threw') return failedEnd(facts, { party: 'tool', code: 'tool_threw', message: redactError(messageOf(outcome.error)) });
  const answer = outcome.value;
  if (answer.success) return succeededEnd(facts, { data: answer.data });
  const raw = answer.data === undefined ? {} : { raw: { data: answer.data } };
  return failedEnd(facts, { party: 'tool', ...answer.error, ...raw });
}

/** A tool confirms that it stopped by throwing an AbortError or answering with the code `cancelled`. */
function saysItStopped(outcome: Settled<ToolAnswer>): boolean {
  if (outcome.kind === 'threw') return typeof outcome.error === 'object' && outcome.error !== null && Reflect.get(outcome.error, 'name') === 'AbortError';
  return !outcome.value.success && outcome.value.error.code === 'cancelled';
}

async function later(late: Promise<Settled<ToolAnswer>>, facts: RunFacts): Promise<Ended> {
  return answered(await late, facts);
}
