import canonicalize from 'canonicalize';
import type { JsonValue } from './json.js';

/** A JSON value, or an object whose undefined fields count as absent. */
type Canonical = JsonValue | { readonly [key: string]: JsonValue | undefined };

// The package's types declare an ES default export; what Node gives for this CommonJS module is the function itself.
const serialize = canonicalize as unknown as (value: Canonical) => string;

/**
 * The RFC 8785 text of a value: equal values give equal bytes. Lone surrogates are escaped.
 * @throws RangeError when the value is nested too deep for the stack; bound what comes from outside first
 */
export function canonicalJson(value: Canonical): string {
  return serialize(value);
}
