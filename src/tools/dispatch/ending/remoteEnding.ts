import type { RemoteFailureClass, RemoteOutcome } from '../../remoteTools.js';
import { textOf, type RawResult } from './cappedResult.js';
import { cancelledEnd, failedEnd, messageOf, succeededEnd, unknownEnd } from './endOf.js';
import type { Ended, RunFacts } from './ended.js';
import type { RunOutcome, Settled } from '../run/raceRun.js';

/** These are our own guard's refusals, not the server's. */
const guarded: readonly RemoteFailureClass[] = ['blocked_address', 'redirect_refused'];

/** How a remote call ended. The port keeps the time itself; what runs over it here is a port that hangs. */
export function remoteEnding(outcome: RunOutcome<RemoteOutcome>, facts: RunFacts): Ended {
  switch (outcome.kind) {
    case 'returned':
    case 'threw':
      return settledEnding(outcome, facts);
    case 'timeout':
      return unknownEnd(facts, 'timeout', null, later(outcome.late, facts));
    case 'aborted':
      return unknownEnd(facts, 'cancelled', null, later(outcome.late, facts));
  }
}

function settledEnding(outcome: Settled<RemoteOutcome>, facts: RunFacts): Ended {
  if (outcome.kind === 'threw') return unknownEnd(facts, 'protocol_error', messageOf(outcome.error), null);
  const answer = outcome.value;
  switch (answer.kind) {
    case 'answered': {
      const raw = rawOf(answer);
      return answer.isError ? failedEnd(facts, { party: 'tool', code: 'tool_error', message: errorText(raw), raw }) : succeededEnd(facts, raw);
    }
    case 'invalid':
      // The tool ran: that it fails is the server's doing, and what it brought is kept.
      return failedEnd(facts, { party: 'server', code: 'protocol', message: answer.message, raw: rawOf(answer) });
    case 'rejected':
      return failedEnd(facts, { party: 'server', code: answer.code, message: answer.message });
    case 'notSent':
      if (answer.class === 'cancelled') return cancelledEnd(facts);
      return failedEnd(facts, { party: guarded.includes(answer.class) ? 'guard' : 'server', code: `server_${answer.class}`, message: answer.message });
    case 'unknown':
      return unknownEnd(facts, answer.cause, answer.message, null);
  }
}

function rawOf({ content, structured }: Pick<RemoteOutcome & { readonly kind: 'answered' }, 'content' | 'structured'>): RawResult {
  return structured === null ? { content } : { data: structured, content };
}

/** What a tool says of its own error: the texts of its answer. */
function errorText({ content }: RawResult): string {
  const texts = (content ?? []).map(textOf).filter((text) => text !== null);
  return texts.length === 0 ? 'The tool answered with an error and no text.' : texts.join('\n');
}

async function later(late: Promise<Settled<RemoteOutcome>>, facts: RunFacts): Promise<Ended> {
  return settledEnding(await late, facts);
}
