import { hash } from 'node:crypto';
import type { RecordedToolDefinition } from '../../../events/catalogue/toolDefinition.js';
import { canonicalJson } from '../../../platform/canonicalJson.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import type { SchemaProblem } from '../schemas/compileSchema.js';
import type { CleanText } from './cleanText.js';
import { pinnedIcons } from './icons.js';
import { cutText } from './visibleText.js';

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
  | 'task_required'
  | SchemaProblem;

export interface ReadDefinition {
  readonly definition: RecordedToolDefinition;
  readonly hash: string;
}

/** A server's own tool name, in UTF-16 code units; the protocol recommends half of it. */
const maxNameLength = 256;
const maxDepth = 64;
const references: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
const dialects = /^https?:\/\/json-schema\.org\/(?:draft-07|draft\/2020-12)\/schema#?$/;

/**
 * Reads one entry of a `tools/list` result. Nothing in it is trusted: texts lose hidden characters and secrets, and what
 * remains is exactly what is hashed, recorded and shown to the model. Schemas are not compiled here.
 * @param maxBytes largest canonical form
 */
export function readDefinition(entry: unknown, maxBytes: number, clean: CleanText): ReadDefinition | DefinitionProblem {
  if (!isJsonObject(entry)) return 'bad_tool';
  const { name, title, description, inputSchema, outputSchema, annotations, icons, execution } = entry;
  if (typeof name !== 'string' || name === '' || name.length > maxNameLength || clean(name) !== name) return 'bad_name';
  if (isJsonObject(execution) && execution['taskSupport'] === 'required') return 'task_required';
  if (!isAbsent(description) && typeof description !== 'string') return 'bad_description';
  if (!isJsonObject(inputSchema) || inputSchema['type'] !== 'object') return 'bad_input_schema';
  if (!isAbsent(outputSchema) && !isJsonObject(outputSchema)) return 'bad_output_schema';
  if (!isAbsent(annotations) && !isJsonObject(annotations)) return 'bad_annotations';

  const cleaner = new Cleaner(clean);
  const pinned = pinnedIcons(icons);
  const definition: RecordedToolDefinition = {
    name,
    ...(typeof title === 'string' ? { title: cleaner.text(title) } : {}),
    description: typeof description === 'string' ? cleaner.text(description) : '',
    inputSchema: cleaner.object(inputSchema),
    ...(isJsonObject(outputSchema) ? { outputSchema: cleaner.object(outputSchema) } : {}),
    ...(isJsonObject(annotations) ? { annotations: cleaner.object(annotations) } : {}),
    ...(pinned === null ? {} : { icons: pinned.map((icon) => cleaner.object(icon)) }),
  };
  if (cleaner.problem !== null) return cleaner.problem;
  if ([inputSchema, outputSchema].some((schema) => isJsonObject(schema) && !hasKnownDialect(schema))) return 'schema_dialect';
  const canonical = canonicalJson(definition);
  if (Buffer.byteLength(canonical) > maxBytes) return 'definition_too_large';
  return { definition, hash: hash('sha256', canonical) };
}

/** The name of a listed tool as far as it can be shown: cleaned and at most 128 characters, null when there is none. */
export function shownName(entry: unknown, clean: CleanText): string | null {
  if (!isJsonObject(entry) || typeof entry['name'] !== 'string') return null;
  const name = clean(entry['name'].slice(0, 1_024));
  return name === '' ? null : cutText(name, 128);
}

/** Copies JSON, cleaning every text; remembers the first thing that makes it unusable. */
class Cleaner {
  problem: DefinitionProblem | null = null;
  readonly text: CleanText;

  constructor(clean: CleanText) {
    this.text = clean;
  }

  object(value: JsonObject, depth = 0): { [key: string]: JsonValue } {
    // A key is what the model must send back, so it is never changed: a tool that hides something in one is left out.
    const entries = Object.entries(value).map(([key, item]) => {
      if (this.text(key) !== key) this.problem ??= 'definition_hidden_keys';
      if (references.has(key) && typeof item === 'string' && !item.startsWith('#')) this.problem ??= 'schema_remote_ref';
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
    return isJsonObject(value) ? this.object(value, depth) : value;
  }
}

function hasKnownDialect(schema: JsonObject): boolean {
  const dialect = schema['$schema'];
  return dialect === undefined || (typeof dialect === 'string' && dialects.test(dialect));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
