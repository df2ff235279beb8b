import { LRUCache } from 'lru-cache';
import type { RecordedToolDefinition } from '../../../events/catalogue/toolDefinition.js';
import type { JsonObject } from '../../../platform/json.js';
import { compileSchema, type CompiledSchema, type SchemaProblem } from './compileSchema.js';

/** Definitions whose schemas were found to compile, by hash: a server that is listed again has mostly the same ones. */
const sound = new LRUCache<string, true>({ max: 4_096 });

/** Compiled output schemas live as long as the listing they belong to. */
const compiled = new WeakMap<JsonObject, CompiledSchema | SchemaProblem>();

/** What is wrong with the schemas of a definition, or null. @param definitionHash of the definition */
export function schemaProblem({ inputSchema, outputSchema }: RecordedToolDefinition, definitionHash: string): SchemaProblem | null {
  if (sound.has(definitionHash)) return null;
  const input = compileSchema(inputSchema);
  if (typeof input === 'string') return input;
  const output = outputSchema === undefined ? null : compiledOnce(outputSchema);
  if (typeof output === 'string') return output;
  sound.set(definitionHash, true);
  return null;
}

/** The compiled form of a schema, made once for each object that holds one. */
export function compiledOnce(schema: JsonObject): CompiledSchema | SchemaProblem {
  const known = compiled.get(schema) ?? compileSchema(schema);
  compiled.set(schema, known);
  return known;
}
