import type { ToolCallEvent } from '../../src/events/catalogue/toolCall.js';
import type { ToolCallCommand } from '../../src/commands/toolCall/toolCall.js';

type CommandOf<Type extends ToolCallCommand['type']> = Extract<ToolCallCommand, { type: Type }>;
type EventOf<Type extends ToolCallEvent['type']> = Extract<ToolCallEvent, { type: Type }>;

const argumentsDigest = 'a'.repeat(64);
const kept = { parameters: {}, redaction: [], argumentsDigest, argumentsBytes: 12, channel: null };
const basis = { workspace: 0, settings: null, servers: null };
const result = { bytes: 7, kinds: ['text'], previewCut: false, redaction: [] };
const subject = 'subject-1';

/** One command of each kind about a call of `roll_dice`, as dispatch would give it. */
export const commands = {
  admit: {
    type: 'Admit',
    data: { tool: 'roll_dice', route: { kind: 'builtin', definition: 'd'.repeat(64) }, ...kept, deadline: 60_000, basis },
    subject,
    personal: {},
  } satisfies CommandOf<'Admit'>,
  refuse: {
    type: 'Refuse',
    data: { tool: null, route: null, reasons: ['unknown_tool'], ...kept, basis, conflictsWith: null },
    subject,
    personal: { toolName: 'rol_dice' },
  } satisfies CommandOf<'Refuse'>,
  succeed: { type: 'Succeed', data: { durationMs: 3, result }, subject, personal: { preview: 'seven' } } satisfies CommandOf<'Succeed'>,
  fail: {
    type: 'Fail',
    data: { durationMs: 3, party: 'tool', code: 'broken', result: null },
    subject,
    personal: { error: 'it broke' },
  } satisfies CommandOf<'Fail'>,
  cancel: { type: 'Cancel', data: { durationMs: 3, by: 'caller' } } satisfies CommandOf<'Cancel'>,
  loseTrack: { type: 'LoseTrack', data: { durationMs: null, cause: 'crash' }, subject, personal: {} } satisfies CommandOf<'LoseTrack'>,
  settle: {
    type: 'Settle',
    data: { verdict: 'succeeded', source: 'person', result: null },
    subject,
    personal: { because: 'the mail arrived' },
  } satisfies CommandOf<'Settle'>,
} as const;

/** What is recorded when those commands are accepted, as it is read back. */
export const events = {
  admitted: { type: 'ToolCallAdmitted', data: commands.admit.data } satisfies EventOf<'ToolCallAdmitted'>,
  refused: { type: 'ToolCallRefused', data: commands.refuse.data } satisfies EventOf<'ToolCallRefused'>,
  succeeded: { type: 'ToolCallSucceeded', data: commands.succeed.data } satisfies EventOf<'ToolCallSucceeded'>,
  failed: { type: 'ToolCallFailed', data: commands.fail.data } satisfies EventOf<'ToolCallFailed'>,
  cancelled: { type: 'ToolCallCancelled', data: commands.cancel.data } satisfies EventOf<'ToolCallCancelled'>,
  unknown: { type: 'ToolCallOutcomeUnknown', data: commands.loseTrack.data } satisfies EventOf<'ToolCallOutcomeUnknown'>,
  settled: { type: 'ToolCallOutcomeSettled', data: commands.settle.data } satisfies EventOf<'ToolCallOutcomeSettled'>,
} as const;
