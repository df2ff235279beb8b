import type { ToolCallEvent } from '../../../../events/catalogue/toolCall.js';
import type { ExportedCall } from '../../exportEntry.js';
import type { Activity } from './activity.js';

type Ending = Pick<Activity, 'statusId' | 'status' | 'reasons' | 'durationMs'>;

/**
 * What a call's event says as an API activity.
 * @param by who appended the event
 * @returns null for an admission: the call has no outcome yet
 */
export function callActivity({ callId, facts, step }: ExportedCall, by: string): Activity | null {
  const ending = endingOf(step);
  if (ending === null) return null;
  const settled = step.type === 'ToolCallOutcomeSettled';
  return {
    activityId: 99,
    activityName: settled ? 'Settle' : 'Execute',
    // A call is its caller's act, also when the product itself wrote down how it ended.
    actor: settled ? by : facts.actor,
    operation: facts.tool ?? 'unknown tool',
    service: { name: facts.serverName ?? 'toolledger', ...(facts.serverId !== null && { uid: facts.serverId }) },
    requestUid: callId,
    ...ending,
  };
}

function endingOf({ type, data }: ToolCallEvent): Ending | null {
  switch (type) {
    case 'ToolCallAdmitted':
      return null;
    case 'ToolCallRefused':
      return { ...failure, reasons: data.reasons, durationMs: null };
    case 'ToolCallSucceeded':
      return { ...success, reasons: [], durationMs: data.durationMs };
    case 'ToolCallFailed':
      return { ...failure, reasons: [data.code], durationMs: data.durationMs };
    case 'ToolCallCancelled':
      return { statusId: 99, status: 'Cancelled', reasons: [], durationMs: data.durationMs };
    case 'ToolCallOutcomeUnknown':
      return { statusId: 0, status: 'Unknown', reasons: [data.cause], durationMs: data.durationMs };
    case 'ToolCallOutcomeSettled':
      return { ...(data.verdict === 'succeeded' ? success : failure), reasons: [], durationMs: null };
  }
}

const success = { statusId: 1, status: 'Success' } as const;
const failure = { statusId: 2, status: 'Failure' } as const;
