import type { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../../../platform/json.js';
import { AuthorizationFault, faultOfNetwork, type AuthorizationFaultCode } from '../authorizationFault.js';
import type { AuthorizationFetch } from '../authorizationFetch.js';
import { jsonIn } from '../tokens/jsonIn.js';

/** What is looked for, for messages. */
export interface Sought {
  /** As a sentence begins: `The authorization server https://as.example`. */
  readonly subject: string;
  readonly unreachable: AuthorizationFaultCode;
}

/** A metadata document, or what was found at each place where it might have been. */
type Found = { readonly document: JsonObject } | { readonly document: null; readonly instead: readonly string[] };

/**
 * Reads the first document there is of several places. Only a place that has none is passed over: one that cannot be
 * reached, may not be reached, redirects or breaks the form ends the search, because the next one might be a worse answer.
 * @throws AuthorizationFault
 */
export async function firstDocument(urls: readonly string[], sought: Sought, fetch: AuthorizationFetch, signal: AbortSignal): Promise<Found> {
  const instead: string[] = [];
  for (const url of urls) {
    const found = await readDocument(url, sought, fetch, signal);
    if (typeof found !== 'string') return { document: found };
    instead.push(found);
  }
  return { document: null, instead };
}

/** @returns the document, or what is there in place of one */
async function readDocument(url: string, sought: Sought, fetch: AuthorizationFetch, signal: AbortSignal): Promise<JsonObject | string> {
  try {
    const response = await fetch.fetch(url, { headers: { accept: 'application/json' } }, { signal });
    if (response.status >= 500) throw new AuthorizationFault(sought.unreachable, `${sought.subject} answered HTTP ${response.status} when its metadata was asked for. Begin again later with \`toolledger mcp sign-in\`.`);
    const kind = response.headers.get('content-type') ?? '';
    const document = jsonIn(await response.text());
    if (!response.ok) return `HTTP ${response.status}`;
    if (isJsonObject(document)) return document;
    // Websites answer any address with a page.
    if (!/^application\/(?:[a-z0-9.+-]+\+)?json\b/i.test(kind)) return 'no JSON';
    throw new AuthorizationFault('metadata_unusable', `${sought.subject} has metadata that is no JSON object.`);
  } catch (error) {
    throw faultOfNetwork(error, sought.unreachable, sought.subject);
  }
}

/** @throws AuthorizationFault `metadata_unusable`, naming the field that is wrong */
export function checkedMetadata<Shape>(schema: z.ZodType<Shape>, document: JsonObject, subject: string): Shape {
  const result = schema.safeParse(document);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  // A field's name in our own schema; what the server wrote there is not repeated.
  const field = String(issue?.path[0] ?? 'the document');
  throw new AuthorizationFault('metadata_unusable', `${subject} has metadata in which ${field} is missing or not as it must be. Its operator must correct it.`);
}
