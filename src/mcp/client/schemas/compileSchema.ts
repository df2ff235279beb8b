import { Ajv2020 } from 'ajv/dist/2020.js';
import { Ajv, type ValidateFunction } from 'ajv/dist/ajv.js';
import type { JsonObject } from '../../../platform/json.js';
import { interruptibly } from './interruptible.js';

/** Why a schema cannot be used. */
export type SchemaProblem = 'schema_invalid' | 'schema_dangling_ref' | 'schema_bad_pattern' | 'schema_too_complex';

/** A schema that values can be checked against. */
export interface CompiledSchema {
  /** @returns what is wrong with the value, in one sentence that may hold words of the schema; null when nothing is */
  check(value: unknown): string | null;
}

/** Compiling takes about a millisecond for each ten subschemas; beyond this a schema is made to be slow. */
const compileMs = 1_000;
const checkMs = 250;

const options = {
  strict: false,
  // Its meta-schema would only say again what compiling finds, and take longer.
  validateSchema: false,
  meta: false,
  logger: false,
  // `format` is an annotation in 2020-12, and formats are regular expressions of their own.
  validateFormats: false,
  inlineRefs: false,
  // Optimising the code that checks takes far longer than checking.
  code: { optimize: false },
} as const;

/**
 * Compiles one schema of a server by itself: nothing is fetched, nothing is shared with other schemas, and neither
 * compiling nor checking takes longer than its time, whatever patterns and references the schema holds.
 * @param schema draft-07 or 2020-12; without `$schema` it is 2020-12, or draft-07 where it only makes sense as that
 */
export function compileSchema(schema: JsonObject): CompiledSchema | SchemaProblem {
  if ('$async' in schema) return 'schema_invalid';
  const declared = schema['$schema'];
  if (typeof declared === 'string' && declared.includes('draft-07')) return compileAs(Ajv, schema);
  const newest = compileAs(Ajv2020, schema);
  if (declared !== undefined || newest !== 'schema_invalid') return newest;
  return compileAs(Ajv, schema);
}

function compileAs(Dialect: typeof Ajv | typeof Ajv2020, schema: JsonObject): CompiledSchema | SchemaProblem {
  try {
    // `id` of older drafts means nothing here; by itself Ajv would refuse the schema for it.
    const compiled = interruptibly(compileMs, () => new Dialect(options).removeKeyword('id').compile(schema));
    return compiled.done ? { check: (value) => checked(compiled.value, value) } : 'schema_too_complex';
  } catch (error) {
    return problemOf(error);
  }
}

function checked(validate: ValidateFunction, value: unknown): string | null {
  try {
    const valid = interruptibly(checkMs, () => validate(value));
    if (!valid.done) return `It could not be checked within ${checkMs} ms.`;
    if (valid.value) return null;
    const [first] = validate.errors ?? [];
    return `${first?.instancePath === undefined || first.instancePath === '' ? 'It' : first.instancePath} ${first?.message ?? 'is not valid'}.`;
  } catch {
    return 'It could not be checked: the schema refers to itself without end.';
  }
}

function problemOf(error: unknown): SchemaProblem {
  if (error instanceof Ajv.MissingRefError) return 'schema_dangling_ref';
  return error instanceof Error && error.message.startsWith('Invalid regular expression') ? 'schema_bad_pattern' : 'schema_invalid';
}
