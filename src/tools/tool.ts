import type { z } from 'zod';
import type { JsonObject, JsonValue } from '../platform/json.js';

/**
 * What the ledger keeps of a parameter. Deny by default: a parameter without a statement is not kept.
 * - `value`: clear, after the tool's own validation passed
 * - `presence`: only that it was given
 * - `digest`: a digest keyed from the caller's subject key
 * - `personal`: the value, sealed with the caller's key
 */
export type ParameterStatement = 'value' | 'presence' | 'digest' | 'personal';

export const toolCategories = ['discord', 'search', 'memory', 'utility', 'mcp'] as const;
type ToolCategory = (typeof toolCategories)[number];

/** What a running tool may use. */
export interface ToolContext {
  readonly workspace: string;
  /** Aborts when the caller gives up, the deadline passes or the process stops. */
  readonly signal: AbortSignal;
  /** OS randomness: a uniform integer in [0, below). Passed in so that tests decide. */
  readonly randomInt: (below: number) => number;
}

/** What a tool answers. `data` goes to the caller whole; the ledger keeps a redacted preview. */
export type ToolAnswer =
  | { readonly success: true; readonly data: JsonValue }
  | { readonly success: false; readonly error: { readonly code: string; readonly message: string }; readonly data?: JsonValue };

/** A tool that is part of the product. One file each in `builtin/`. */
export interface BuiltInTool<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly category: ToolCategory;
  readonly parameters: Schema;
  readonly ledger: { readonly [parameter: string]: ParameterStatement };
  /** `readOnlyLocal`: changes nothing and sends nothing, so admission and ending may be recorded together. */
  readonly effects: 'readOnlyLocal' | 'effects';
  /** Whether a workspace that never set the switch may use it. */
  readonly onByDefault: boolean;
  execute(parameters: z.output<Schema>, context: ToolContext): Promise<ToolAnswer> | ToolAnswer;
}

/** A tool as it is declared to a model or an MCP client. */
export interface DeclaredTool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Name of the server whose text this is; null for our own tools. */
  readonly thirdParty: string | null;
}
