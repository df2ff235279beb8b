import type { ToolCallCommand } from '../../../commands/toolCall/toolCall.js';
import type { AnswerBody } from './answers.js';
import type { EndCommand } from './endings.js';

/** How a run ended: what the ledger keeps of it and what the caller gets. */
export interface Ended {
  readonly command: EndCommand;
  readonly answer: AnswerBody;
  /** Where nobody knows yet what became of it: what the run comes to after all, if it does. */
  readonly late: Promise<Ended> | null;
}

/** What every ending is told of the run. */
export interface RunFacts {
  /** Owner of the personal values. */
  readonly subject: string;
  readonly durationMs: number;
  /** Who gave up, when somebody did. */
  readonly by: 'caller' | 'shutdown';
}

/** Settles an unknown outcome with the answer that came late; null when that answer does not tell either. */
export function settlementOf({ command }: Ended): Extract<ToolCallCommand, { readonly type: 'Settle' }> | null {
  if (command.type === 'Succeed') {
    const data = { verdict: 'succeeded', source: 'late_answer', result: command.data.result } as const;
    return { type: 'Settle', data, subject: command.subject, personal: { preview: command.personal.preview } };
  }
  if (command.type !== 'Fail') return null;
  const data = { verdict: 'failed', source: 'late_answer', result: command.data.result } as const;
  return { type: 'Settle', data, subject: command.subject, personal: { because: command.personal.error } };
}
