import type { ToolCallEvent } from '../events/catalogue/toolCall.js';
import type { ProjectedEvent } from './projection.js';
import type { CallOutcome } from './toolCallLog/queries.js';

/** What a call can be filtered by. */
export interface CallFacts {
  readonly workspace: string;
  readonly channel: string | null;
  readonly actor: string;
  readonly onBehalfOf: string | null;
  readonly tool: string | null;
  readonly serverId: string | null;
  readonly serverName: string | null;
  readonly outcome: CallOutcome;
  readonly reasons: readonly string[];
}

type CallEvent = ToolCallEvent & Pick<ProjectedEvent, 'envelope' | 'ordinal'>;
/** The event a call begins with. */
export type CallStart = Extract<CallEvent, { type: 'ToolCallAdmitted' | 'ToolCallRefused' }>;
/** An event that changes how a call stands. */
export type CallEnding = Exclude<CallEvent, CallStart>;

/** The events of single calls. */
export const callEventTypes = [
  'ToolCallAdmitted',
  'ToolCallRefused',
  'ToolCallSucceeded',
  'ToolCallFailed',
  'ToolCallCancelled',
  'ToolCallOutcomeUnknown',
  'ToolCallOutcomeSettled',
] as const;

/** The id of the call an event belongs to: the part of its stream's name after the first dash. */
export function callIdOf(event: ProjectedEvent): string {
  return afterDash(event.envelope.stream);
}

/** The part of a stream's name after its first dash. */
export function afterDash(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

export function isCallStart(event: CallEvent): event is CallStart {
  return event.type === 'ToolCallAdmitted' || event.type === 'ToolCallRefused';
}

/** What is known of a call from the event it begins with. */
export function factsOf(event: CallStart): CallFacts {
  const { envelope, data } = event;
  const remote = data.route?.kind === 'mcp' ? data.route : null;
  return {
    workspace: envelope.workspace,
    channel: data.channel,
    actor: envelope.actor,
    onBehalfOf: envelope.onBehalfOf,
    tool: data.tool,
    serverId: remote?.serverId ?? null,
    serverName: remote?.serverName ?? null,
    outcome: event.type === 'ToolCallRefused' ? 'refused' : 'open',
    reasons: event.type === 'ToolCallRefused' ? event.data.reasons : [],
  };
}

/** How a call stands after an ending, and the reason codes that it adds. */
export function endingOf(event: Exclude<ToolCallEvent, { type: CallStart['type'] }>): Pick<CallFacts, 'outcome' | 'reasons'> {
  switch (event.type) {
    case 'ToolCallSucceeded':
      return { outcome: 'succeeded', reasons: [] };
    case 'ToolCallFailed':
      return { outcome: 'failed', reasons: [event.data.code] };
    case 'ToolCallCancelled':
      return { outcome: 'cancelled', reasons: [] };
    case 'ToolCallOutcomeUnknown':
      return { outcome: 'unknown', reasons: [event.data.cause] };
    case 'ToolCallOutcomeSettled':
      return { outcome: event.data.verdict, reasons: [] };
  }
}
