import { z } from 'zod';
import { callOutcomes, type CallRow } from '../../projections/toolCallLog/queries.js';
import { iso, isoTime } from '../words.js';

/** One call in a list. */
export const shownCall = z.object({
  callId: z.string(),
  recordedAt: isoTime,
  endedAt: isoTime.nullable(),
  workspace: z.string(),
  channel: z.string().nullable(),
  actor: z.string(),
  door: z.string(),
  onBehalfOf: z.string().nullable(),
  turn: z.string().nullable(),
  tool: z.string().nullable(),
  serverId: z.string().nullable(),
  server: z.string().nullable(),
  outcome: z.enum(callOutcomes),
  reasons: z.array(z.string()),
  durationMs: z.number().nullable(),
});

export function shownCallOf({ recordedAt, endedAt, serverName, reasons, ...row }: CallRow): z.input<typeof shownCall> {
  return {
    ...row,
    recordedAt: iso(recordedAt),
    endedAt: endedAt === null ? null : iso(endedAt),
    server: serverName,
    reasons: [...reasons],
  };
}
