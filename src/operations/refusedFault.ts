import type { LedgerPrivacyRefusal } from '../commands/ledgerPrivacy.js';
import type { McpServersRefusal } from '../commands/mcpServers/mcpServers.js';
import type { ToolCallRefusal } from '../commands/toolCall/toolCall.js';
import type { WorkspaceRefusal } from '../commands/workspace.js';
import { Fault } from '../platform/fault.js';
import type { JsonValue } from '../platform/json.js';
import { completeCommands } from '../tools/availability/completeCommands.js';

type Code = (LedgerPrivacyRefusal | McpServersRefusal | ToolCallRefusal | WorkspaceRefusal)['code'] | 'not_parked';

/** What people are told when a decider refuses, by its code. */
const sentences: { readonly [Each in Code]: string } = {
  already_recorded: 'This call id was used before.',
  not_admitted: 'No such call was ever let through; `toolledger audit search` lists the calls there are.',
  was_refused: 'The call was refused and never ran.',
  was_dropped: 'The call is on record, but what it was is not kept any more.',
  already_ended: 'The call has its ending already.',
  still_open: 'The call is still running; only an unknown outcome can be settled.',
  outcome_known: 'The outcome of the call is known; there is nothing to settle.',
  already_settled: 'The outcome of the call was settled before.',
  workspace_unknown: 'The workspace was never opened; open it with `toolledger workspace open`.',
  invalid_name: 'A server name is 1 to 32 letters, digits and dashes and starts with a letter or digit.',
  invalid_type: 'A server type is generic, url_fetcher, web_search or prose_linter.',
  duplicate_name: 'A server of this name is registered already; choose another name, or remove the other one with `toolledger mcp remove`.',
  duplicate_id: 'This server id was used before; register again and a new one is made.',
  limit_reached: 'The workspace has as many servers as it may have; remove one first with `toolledger mcp remove NAME`; `toolledger mcp list` lists them.',
  family_in_use: 'Another enabled server of this type is registered; disable it first with `toolledger mcp disable NAME`; `toolledger mcp list` shows which it is.',
  not_found: 'No such server is registered here; `toolledger mcp list` lists them.',
  tools_unknown: 'The tools of this server were never discovered; run `toolledger mcp refresh` first.',
  not_offered: 'The server does not offer all of these definitions now; run `toolledger mcp refresh` and look again.',
  subject_held: 'This person is under a legal hold and cannot be erased; `toolledger privacy release` ends it.',
  subject_erased: 'This person was erased; nothing is left that could be held.',
  not_parked: 'This event is not parked in this view; `toolledger projections parked` lists those that are.',
};

/** Refusals of how something was written, not of what was wished. */
const wrongInput: ReadonlySet<string> = new Set<Code>(['invalid_name', 'invalid_type']);

/** A decider's refusal as a failure that people can read; what the refusal carries goes along for machines. */
export function refusedFault({ code, ...carried }: { readonly code: Code }, given: { readonly [key: string]: JsonValue }): Fault {
  const { workspace, name } = given;
  const sentence = typeof workspace === 'string' ? completeCommands(sentences[code], { workspace, server: typeof name === 'string' ? name : null, tool: null }) : sentences[code];
  return new Fault(wrongInput.has(code) ? 'usage' : 'failed', code, sentence, { ...given, ...carried });
}
