import { hash } from 'node:crypto';
import { canonicalJson } from '../platform/canonicalJson.js';
import type { RecordedToolDefinition, ToolDefinitionEvent } from '../events/catalogue/toolDefinition.js';
import { accepted, refused } from './accepted.js';
import type { Decider } from './decider.js';

/** Most bytes of a definition's RFC 8785 text. */
export const maxDefinitionBytes = 64 * 1024;

/** Record the text of a definition; answered "unchanged" when it is there. */
export interface ToolDefinitionCommand {
  readonly type: 'Record';
  /** Of the stream, and SHA-256 over the RFC 8785 form of the definition, hex. */
  readonly hash: string;
  readonly definition: RecordedToolDefinition;
}

/** Why a definition is not recorded. */
export type ToolDefinitionRefusal =
  | { readonly code: 'definition_too_large'; readonly bytes: number; readonly limit: number }
  /** The hash given is not that of the definition: recorded, it would vouch for another text. */
  | { readonly code: 'hash_mismatch'; readonly actual: string };

/** Whether the definition is recorded. */
export interface ToolDefinitionState {
  readonly recorded: boolean;
}

/** The stream of a definition, by its hash. */
export function toolDefinitionStream(definitionHash: string): string {
  return `toolDefinition-${definitionHash}`;
}

/** The text of a definition, once for each hash. */
export const toolDefinitionDecider: Decider<ToolDefinitionCommand, ToolDefinitionState, ToolDefinitionEvent, ToolDefinitionRefusal> = {
  initialState: () => ({ recorded: false }),

  decide(command, state) {
    if (state.recorded) return accepted();
    const text = canonicalJson(command.definition);
    const bytes = Buffer.byteLength(text);
    if (bytes > maxDefinitionBytes) return refused({ code: 'definition_too_large', bytes, limit: maxDefinitionBytes });
    const actual = hash('sha256', text, 'hex');
    if (actual !== command.hash) return refused({ code: 'hash_mismatch', actual });
    return accepted({ type: 'ToolDefinitionRecorded', data: { hash: actual, definition: command.definition } });
  },

  evolve: () => ({ recorded: true }),
};
