import { confusableKeys } from '../names/confusable.js';
import type { DeclaredTool } from '../tool.js';

/** A built-in tool, as far as availability is concerned. */
export interface BuiltInFacts {
  readonly name: string;
  readonly aliases: readonly string[];
  /** SHA-256 of its definition, hex. */
  readonly definition: string;
  /** Whether a workspace that never set the switch may use it. */
  readonly onByDefault: boolean;
  /** Null when its text is not known. */
  readonly declared: DeclaredTool | null;
}

/** The built-in tools of a program: of this one, or of one that ran at another time. */
export interface BuiltIns<Facts extends BuiltInFacts = BuiltInFacts> {
  readonly tools: readonly Facts[];
  /** The tool of exactly this name or alias, or undefined. */
  find(nameOrAlias: string): Facts | undefined;
  /** Whether nobody else may use the name; names that look alike count as one, see `confusableKeys`. */
  reserves(name: string): boolean;
}

/** Makes tools findable by name and alias; whose names are whose must be clear by then. */
export function makeBuiltIns<Facts extends BuiltInFacts>(tools: readonly Facts[]): BuiltIns<Facts> {
  const byName = new Map(tools.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const)));
  const reserved = new Set([...byName.keys()].flatMap(confusableKeys));
  return { tools, find: (name) => byName.get(name), reserves: (name) => confusableKeys(name).some((key) => reserved.has(key)) };
}
