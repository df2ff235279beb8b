import { hash } from 'node:crypto';
import type { RecordedToolDefinition } from '../../../events/catalogue/toolDefinition.js';
import { canonicalJson } from '../../../platform/canonicalJson.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { scrubText } from '../../../platform/scrub/scrubText.js';
import { cutText, visibleText } from './visibleText.js';

/** Why one tool of a listing cannot be used; the codes are stable. */
export type DefinitionProblem =
  | 'bad_tool'
  | 'bad_name'
  | 'bad_description'
  | 'bad_input_schema'
  | 'bad_output_schema'
  | 'bad_annotations'
  | 'schema_dialect'
  | 'schema_remote_ref'
  | 'definition_too_deep'
  | 'definition_too_large'
  | 'definition_not_json'
  | 'definition_hidden_keys'
  | 'task_required';

export interface ReadDefinition {
  readonly definition: RecordedToolDefinition;
  readonly hash: string;
}

/** A server's own tool name, in UTF-16 code units; the protocol recommends half of it. */
const maxNameLength = 256;
const maxDepth = 64;
const dialects = /^https?:\/\/json-schema\.org\/(?:draft-07|draft\/2020-12)\/schema#?$/;

/**
 * Reads one entry of a `tools/list` result. Nothing in it is trusted: texts lose hidden characters and secrets, and what
 * remains is exactly what is hashed, recorded and shown to the model.
 * @param maxBytes largest canonical form
 */
export function readDefinition(entry: unknown, maxBytes: number): ReadDefinition | DefinitionProblem {
  if (!isObject(entry)) return 'bad_tool';
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = entry;
  if (typeof name !== 'string' || !isUsableName(name)) return 'bad_name';
  if (isObject(execution) && execution['taskSupport'] === 'required') return 'task_required';
  if (!isAbsent(description) && typeof description !== 'string') return 'bad_description';
  if (!isObject(inputSchema) || inputSchema['type'] !== 'object') return 'bad_input_schema';
  if (!isAbsent(outputSchema) && !isObject(outputSchema)) return 'bad_output_schema';
  if (!isAbsent(annotations) && !isObject(annotations)) return 'bad_annotations';

  const cleaner = new Cleaner();
  const definition: RecordedToolDefinition = {
    name,
    ...(typeof title === 'string' ? { title: cleaner.text(title) } : {}),
    description: typeof description === 'string' ? cleaner.text(description) : '',
    inputSchema: cleaner.object(inputSchema),
    ...(isObject(outputSchema) ? { outputSchema: cleaner.object(outputSchema) } : {}),
    ...(isObject(annotations) ? { annotations: cleaner.object(annotations) } : {}),
  };
  if (cleaner.problem !== null) return cleaner.problem;
  if ([inputSchema, outputSchema].some((schema) => isObject(schema) && !hasKnownDialect(schema))) return 'schema_dialect';
  const canonical = canonicalJson(definition);
  if (Buffer.byteLength(canonical) > maxBytes) return 'definition_too_large';
  return { definition, hash: hash('sha256', canonical) };
}

/** The name of a listed tool as far as it can be shown: cleaned and at most 128 characters, null when there is none. */
export function shownName(entry: unknown): string | null {
  if (!isObject(entry) || typeof entry['name'] !== 'string') return null;
  const name = scrubText(visibleText(entry['name'].slice(0, 1_024))).text;
  return name === '' ? null : cutText(name, 128);
}

/** Copies JSON, cleaning every text; remembers the first thing that makes it unusable. */
class Cleaner {
  problem: DefinitionProblem | null = null;

  text(text: string): string {
    return scrubText(visibleText(text)).text;
  }

  object(value: JsonObject, depth = 0): { [key: string]: JsonValue } {
    // A key is what the model must send back, so it is never changed: a tool that hides something in one is left out.
    const entries = Object.entries(value).map(([key, item]) => {
      if (this.text(key) !== key) this.problem ??= 'definition_hidden_keys';
      if (key === '$ref' && typeof item === 'string' && !item.startsWith('#')) this.problem ??= 'schema_remote_ref';
      return [key, this.#value(item, depth + 1)] as const;
    });
    return Object.fromEntries(entries);
  }

  #value(value: JsonValue, depth: number): JsonValue {
    if (depth > maxDepth) {
      this.problem ??= 'definition_too_deep';
      return null;
    }
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number' && !Number.isFinite(value)) this.problem ??= 'definition_not_json';
    if (Array.isArray(value)) return (value as JsonValue[]).map((item) => this.#value(item, depth + 1));
    return isObject(value) ? this.object(value, depth) : value;
  }
}

function hasKnownDialect(schema: JsonObject): boolean {
  const dialect = schema['$schema'];
  return dialect === undefined || (typeof dialect === 'string' && dialects.test(dialect));
}

function isUsableName(name: string): boolean {
  return name !== '' && name.length <= maxNameLength && scrubText(visibleText(name)).text === name;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** What came over the wire was made by `JSON.parse`, so an object in it holds JSON only. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
