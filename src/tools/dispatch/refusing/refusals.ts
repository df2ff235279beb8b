import type { ToolCallCommand } from '../../../commands/toolCall/toolCall.js';
import { toolRefusals } from '../../../commands/toolCall/toolRefusals.js';
import type { CallAnswer } from '../../call.js';
import { reasonText } from '../../availability/reasons.js';
import { redactError } from '../../redaction/redactError.js';
import { refusedAnswer } from '../ending/answers.js';
import { begin } from '../begin/beginnings.js';
import type { Call } from '../begin/call.js';
import { messageOf } from '../ending/endOf.js';
import type { Judged, Refusal } from '../begin/judged.js';
import type { DispatchParts } from '../parts.js';
import { makeRefusalLimiter, type CountedRefusals } from './refusalLimiter.js';
import { systemOrigin } from '../../../commands/commandHandler.js';

/** Records refusals: singly, or counted when one caller has too many of them in a minute. */
export interface Refusals {
  /** @returns the answer, or `exists` when the call id was used before */
  refuse(call: Call, judged: Judged, refusal: Refusal): Promise<CallAnswer | 'exists'>;
  /** Records what was counted so far. */
  flush(): Promise<void>;
}

export function makeRefusals({ handler, clock, warn }: Pick<DispatchParts, 'handler' | 'clock' | 'warn'>): Refusals {
  const limiter = makeRefusalLimiter();

  async function recordCounts(counted: readonly CountedRefusals[]): Promise<void> {
    for (const { workspace, ...counts } of counted) {
      const origin = systemOrigin(workspace);
      try {
        await handler.execute(toolRefusals, `toolRefusals-${workspace}`, [{ type: 'CountRefusals', ...counts }], origin);
      } catch (error) {
        warn({ workspace, total: counts.total, error: messageOf(error) }, 'counted refusals could not be recorded');
      }
    }
  }

  return {
    async refuse(call, judged, refusal) {
      const { reasons } = refusal;
      const message = refusal.detail ?? reasons.map(reasonText).join(' ');
      const { single, over } = limiter.note({ workspace: call.origin.workspace, caller: call.subject, reasons, now: clock.now() });
      await recordCounts(over);
      if (!single) return { callId: call.callId, ...refusedAnswer(reasons, `${message} (Too many refusals this minute: this one is only counted.)`) };
      const begun = await begin(handler, call, [refuseCommand(call, judged, refusal)]);
      if (begun.kind === 'exists') return 'exists';
      if (begun.kind === 'recorded') return { callId: call.callId, ...refusedAnswer(reasons, message) };
      const { code, message: trouble } = begun.trouble;
      return { callId: call.callId, status: 'failed', success: false, error: { code, message: `${message} ${trouble}`, reasons } };
    },
    flush: () => recordCounts(limiter.flush()),
  };
}

function refuseCommand(call: Call, { tool, route, kept, basis }: Judged, { reasons, detail, conflictsWith }: Refusal): ToolCallCommand {
  return {
    type: 'Refuse',
    data: { tool, route, reasons: [...reasons], ...kept.data, basis, conflictsWith: conflictsWith ?? null },
    subject: call.subject,
    personal: {
      ...(tool === null ? { toolName: redactError(call.request.tool) } : {}),
      ...kept.personal,
      ...(detail === undefined ? {} : { detail: redactError(detail) }),
    },
  };
}
