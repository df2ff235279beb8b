import type { z } from 'zod';
import type { JsonObject } from '../../../platform/json.js';
import type { BuiltInTool } from '../../tool.js';
import { kindOf } from './argumentLimits.js';

const shownIssues = 5;

/** Arguments a tool takes, or what is wrong with them. */
export type ValidatedArguments = { readonly ok: true; readonly values: JsonObject } | { readonly ok: false; readonly problem: string };

/** Checks arguments against a tool's own parameters. A tool whose check itself fails takes nothing. */
export function validateArguments(tool: BuiltInTool, args: JsonObject): ValidatedArguments {
  try {
    const parsed = tool.parameters.safeParse(args);
    if (parsed.success) return { ok: true, values: parsed.data as JsonObject };
    const problems = parsed.error.issues.slice(0, shownIssues).map((issue) => problemOf(issue, args)).join('; ');
    // A problem of several lines points at a character; nothing may follow it on its last line.
    const end = problems.includes('\n') ? '\n' : '. ';
    return { ok: false, problem: `${problems}${end}${tool.name} takes: ${Object.keys(tool.parameters.shape).join(', ') || 'nothing'}.` };
  } catch {
    return { ok: false, problem: `The arguments of ${tool.name} could not be checked.` };
  }
}

function problemOf(issue: z.core.$ZodIssue, args: JsonObject): string {
  const where = issue.path.map(String).join('.') || 'arguments';
  if (issue.code !== 'invalid_type') return `${where}: ${issue.message}`;
  const given = valueAt(args, issue.path);
  return given === undefined ? `${where} is missing; it takes ${issue.expected}` : `${where} is ${kindOf(given)}; it takes ${issue.expected}`;
}

function valueAt(args: JsonObject, path: readonly PropertyKey[]): unknown {
  let value: unknown = args;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
