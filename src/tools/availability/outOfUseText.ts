import { completeCommands } from './completeCommands.js';
import type { OutOfUse } from './facts.js';
import { narrowReason } from './narrowReason.js';
import { reasonText } from './reasons.js';

/** Says why a server is not dialled, until when, and what to type. */
export function outOfUseText({ reason, until, narrow }: OutOfUse, workspace: string, server: string): string {
  if (narrow !== undefined) return narrowReason(narrow, workspace, server);
  const sentence = completeCommands(reasonText(reason), { workspace, server, tool: null });
  return until === null ? sentence : `${sentence} ${untilText(until)}`;
}

/** @param until milliseconds since the epoch */
export function untilText(until: number): string {
  return `It is left alone until ${new Date(until).toISOString()}.`;
}
