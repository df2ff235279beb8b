import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';

const urlNames: ReadonlySet<string> = new Set(['url', 'uri', 'urls', 'uris']);

/** References are followed so far; a schema that goes on is a server's trick. */
const maxReferences = 16;

/**
 * Every text in the arguments that a tool will take for a URL: its property is called url, uri, urls or uris in any
 * case, also around lists and objects, or the tool's schema says `format: uri`. Each once, in the order in which they stand.
 * @param schema as the server published it; not trusted
 */
export function urlArguments(args: JsonObject, schema: JsonObject): readonly string[] {
  const found = new Set<string>();
  const root = schema;

  function visit(value: JsonValue, named: boolean, schemas: readonly JsonObject[]): void {
    if (typeof value === 'string') {
      if (named || schemas.some(({ format }) => format === 'uri')) found.add(value);
    } else if (Array.isArray(value)) {
      (value as readonly JsonValue[]).forEach((item, at) => visit(item, named, expanded(schemas.flatMap((each) => itemSchemas(each, at)), root)));
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value as JsonObject)) {
        visit(item, named || urlNames.has(name.toLowerCase()), expanded(schemas.flatMap((each) => propertySchemas(each, name)), root));
      }
    }
  }

  visit(args, false, expanded([schema], root));
  return [...found];
}

function itemSchemas({ items, prefixItems, additionalItems, contains }: JsonObject, at: number): readonly unknown[] {
  const tuple = [prefixItems, items].find(Array.isArray) as readonly JsonValue[] | undefined;
  const rest = Array.isArray(items) ? additionalItems : items;
  return [tuple !== undefined && at < tuple.length ? tuple[at] : rest, contains];
}

function propertySchemas({ properties, patternProperties, additionalProperties }: JsonObject, name: string): readonly unknown[] {
  const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  // Matching a server's patterns could take for ever, so each of them counts.
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  return [...own, ...patterns, ...(own.length === 0 ? [additionalProperties] : [])];
}

/** Schemas together with what they refer to and what they are combined of, each once. */
function expanded(schemas: readonly unknown[], root: JsonObject): readonly JsonObject[] {
  const all = new Set<JsonObject>();
  const add = (schema: unknown, references: number): void => {
    if (!isJsonObject(schema) || all.has(schema)) return;
    all.add(schema);
    const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise } = schema;
    if (typeof $ref === 'string' && references < maxReferences) add(referred($ref, root), references + 1);
    for (const list of [allOf, anyOf, oneOf]) if (Array.isArray(list)) for (const part of list as readonly JsonValue[]) add(part, references);
    for (const part of [condition, then, otherwise]) add(part, references);
  };
  for (const schema of schemas) add(schema, 0);
  return [...all];
}

/** What a JSON pointer inside the schema leads to; undefined where it leads nowhere. */
function referred(reference: string, root: JsonObject): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  let at: unknown = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as { readonly [key: string]: unknown })[key] : undefined;
  }
  return at;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
