import { hash } from 'node:crypto';
import { z } from 'zod';
import type { RecordedToolDefinition } from '../events/catalogue/toolDefinition.js';
import { canonicalJson } from '../platform/canonicalJson.js';
import { Fault } from '../platform/fault.js';
import type { JsonObject } from '../platform/json.js';
import { makeBuiltIns, type BuiltInFacts, type BuiltIns } from './availability/builtIns.js';
import { confusableKeys } from './names/confusable.js';
import { toolCategories, type BuiltInTool, type DeclaredTool } from './tool.js';

const namePattern = /^[a-z][a-z0-9_]{0,63}$/;
const statements: readonly unknown[] = ['value', 'presence', 'digest', 'personal'];
const effects: readonly unknown[] = ['readOnlyLocal', 'effects'];
const categories: readonly unknown[] = toolCategories;

/** A built-in tool that passed every registration check. */
interface RegisteredTool extends BuiltInFacts {
  readonly tool: BuiltInTool;
  /** In the form in which definitions are recorded; `definition` is its hash. */
  readonly text: RecordedToolDefinition;
  readonly declared: DeclaredTool;
}

/** The built-in tools of this program. Names and aliases stay reserved while a tool is switched off. */
export type ToolRegistry = BuiltIns<RegisteredTool>;

/**
 * Checks the tools and makes them findable by name and alias.
 * @throws Fault `invalid_tool` naming the tool and the problem
 */
export function makeToolRegistry(tools: readonly BuiltInTool[]): ToolRegistry {
  const ownerOf = new Map<string, string>();
  const registered = tools.map((tool) => {
    const problem = problemOf(tool);
    if (problem !== null) throw invalidTool(tool.name, problem);
    for (const name of [tool.name, ...(tool.aliases ?? [])]) {
      const keys = confusableKeys(name);
      const taken = keys.map((key) => ownerOf.get(key)).find((owner) => owner !== undefined);
      if (taken !== undefined) throw invalidTool(tool.name, `uses the name ${name}, which ${taken === tool.name ? 'it uses already' : `belongs to ${taken}`}`);
      for (const key of keys) ownerOf.set(key, tool.name);
    }
    return registeredTool(tool);
  });
  return makeBuiltIns(registered);
}

function registeredTool(tool: BuiltInTool): RegisteredTool {
  const { name, title, description, aliases = [], onByDefault } = tool;
  const text = { name, title, description, inputSchema: jsonSchemaOf(tool) };
  return { name, aliases, definition: hash('sha256', canonicalJson(text), 'hex'), onByDefault, tool, text, declared: { ...text, thirdParty: null } };
}

/** The type says these things cannot happen; a tool that came past the compiler (plain JavaScript, a cast) can. */
function problemOf(tool: { readonly [Field in keyof BuiltInTool]?: unknown }): string | null {
  if (!isName(tool.name)) return 'needs a name of 1 to 64 lower-case letters, digits and underscores that begins with a letter';
  if (isBlank(tool.title)) return 'needs a title';
  if (isBlank(tool.description)) return 'needs a description; models choose tools by it';
  if (!categories.includes(tool.category)) return `needs a category: one of ${toolCategories.join(', ')}`;
  if (!(tool.parameters instanceof z.ZodObject)) return 'needs parameters: a zod object, `z.object({})` for none';
  if (typeof tool.execute !== 'function') return 'needs a function `execute`';
  if (!effects.includes(tool.effects)) return `needs effects: one of ${effects.join(', ')}`;
  const bad = aliasesOf(tool.aliases).find((alias) => !isName(alias));
  if (bad !== undefined) return `has an alias ${JSON.stringify(bad)} that is no tool name`;
  return statementProblem(tool.ledger, Object.keys(tool.parameters.shape));
}

function statementProblem(ledger: unknown, parameters: readonly string[]): string | null {
  if (typeof ledger !== 'object' || ledger === null) return 'needs `ledger`: what is kept of each parameter';
  for (const [parameter, statement] of Object.entries(ledger)) {
    if (!parameters.includes(parameter)) return `states what the ledger keeps of ${parameter}, which is not a parameter of it`;
    if (!statements.includes(statement)) return `states ${JSON.stringify(statement)} of ${parameter}; allowed are ${statements.join(', ')}`;
  }
  return null;
}

function jsonSchemaOf(tool: BuiltInTool): JsonObject {
  try {
    const schema = JSON.parse(JSON.stringify(z.toJSONSchema(tool.parameters, { io: 'input' }))) as JsonObject;
    return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$schema'));
  } catch (error) {
    throw invalidTool(tool.name, `has parameters that JSON Schema cannot express (${error instanceof Error ? error.message : 'unknown'})`);
  }
}

function invalidTool(name: unknown, problem: string): Fault {
  const shown = typeof name === 'string' && name.trim() !== '' ? name : '(no name)';
  return new Fault('failed', 'invalid_tool', `Tool ${shown} cannot be registered: it ${problem}.`, { tool: shown });
}

function aliasesOf(aliases: unknown): readonly unknown[] {
  return Array.isArray(aliases) ? aliases : [];
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && namePattern.test(name);
}

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '';
}
