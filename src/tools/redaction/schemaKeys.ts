import type { JsonObject, JsonValue } from '../../platform/json.js';
import { noKnownKeys, type KnownKeys } from '../../platform/scrub/knownKeys.js';

/** A server's schema can offer alternatives without end; beyond these its keys count as unknown. */
const maxAlternatives = 64;
const maxReferences = 16;
const alternativeWords = ['anyOf', 'oneOf', 'allOf'] as const;

/** The keys that a JSON Schema names: `properties`, through lists, alternatives and local references. */
export function schemaKeys(schema: JsonObject): KnownKeys {
  return keysOf(expand([schema], schema), schema);
}

function keysOf(schemas: readonly JsonObject[], root: JsonObject): KnownKeys {
  if (schemas.length === 0) return noKnownKeys;
  const properties = schemas.map((schema) => objectAt(schema, 'properties')).filter((found) => found !== null);
  return {
    knows: (key) => properties.some((named) => Object.hasOwn(named, key)),
    below: (key) => keysOf(expand(properties.map((named) => objectAt(named, key)), root), root),
    items: () => keysOf(expand(schemas.flatMap(itemSchemas), root), root),
  };
}

function itemSchemas(schema: JsonObject): readonly (JsonObject | null)[] {
  const prefix = Object.hasOwn(schema, 'prefixItems') ? schema['prefixItems'] : undefined;
  return [objectAt(schema, 'items'), ...(Array.isArray(prefix) ? (prefix as JsonValue[]).map(asObject) : [])];
}

/** The schemas themselves with their alternatives and what they refer to, each once. */
function expand(schemas: readonly (JsonObject | null)[], root: JsonObject): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const waiting = [...schemas];
  for (let next = waiting.shift(); next !== undefined && found.size < maxAlternatives; next = waiting.shift()) {
    const schema = next === null ? null : follow(next, root);
    if (schema === null || found.has(schema)) continue;
    found.add(schema);
    for (const word of alternativeWords) {
      const alternatives = Object.hasOwn(schema, word) ? schema[word] : undefined;
      if (Array.isArray(alternatives)) waiting.push(...(alternatives as JsonValue[]).slice(0, maxAlternatives).map(asObject));
    }
  }
  return [...found];
}

/** Follows `$ref` to a place in the same schema; others are never fetched. */
function follow(schema: JsonObject, root: JsonObject): JsonObject | null {
  let current: JsonObject | null = schema;
  for (let step = 0; step < maxReferences && current !== null; step++) {
    const reference: unknown = Object.hasOwn(current, '$ref') ? current['$ref'] : undefined;
    if (typeof reference !== 'string') return current;
    if (!/^#(?:\/|$)/.test(reference)) return null;
    const names = reference.split('/').slice(1).map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    current = names.reduce<JsonObject | null>((at, name) => (at === null ? null : objectAt(at, name)), root);
  }
  return null;
}

function objectAt(parent: JsonObject, key: string): JsonObject | null {
  return Object.hasOwn(parent, key) ? asObject(parent[key]) : null;
}

function asObject(value: JsonValue | undefined): JsonObject | null {
  return value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : null;
}
