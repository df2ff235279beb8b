import { z } from 'zod';
import type { CallConditions } from '../../projections/toolCallLog/queries.js';
import { callOutcomes } from '../words.js';

const word = z.string().max(1_000);

/** Conditions in which persons are named by subject only, as they are kept and passed on. */
export const resolvedConditions = z.strictObject({
  since: z.int().exactOptional(),
  until: z.int().exactOptional(),
  workspace: word.exactOptional(),
  channel: word.exactOptional(),
  subject: z.guid().exactOptional(),
  tool: word.exactOptional(),
  server: word.exactOptional(),
  outcome: z.enum(callOutcomes).exactOptional(),
  reason: word.exactOptional(),
  text: word.exactOptional(),
}) satisfies z.ZodType<CallConditions>;

const ofCalls = ['channel', 'subject', 'tool', 'server', 'outcome', 'reason', 'text'] as const;

/** The conditions that a call meets or not, whichever of its events is looked at. */
export function callPart(conditions: CallConditions): Pick<CallConditions, (typeof ofCalls)[number]> {
  return Object.fromEntries(ofCalls.flatMap((name) => (conditions[name] === undefined ? [] : [[name, conditions[name]]])));
}

/** The part of the conditions that is recorded in clear, and the part that was typed freely and may name people. */
export function recordedConditions({ since, until, workspace, subject, outcome, ...typed }: CallConditions) {
  return { filter: { since, until, workspace, subject, outcome }, typed };
}
