/** What is found where browsers are to come in: the pages of sign-ins, nothing, or something else. */
export type FoundThere = { readonly kind: 'pages' } | { readonly kind: 'nobody' } | { readonly kind: 'other'; readonly detail: string };

/** Whoever is there has so long to answer, in milliseconds. */
const patienceMs = 3_000;

/**
 * Looks what answers at an origin under `/oauth/`. There is no such page, and the one that says so is known by its title.
 * @param origin as set in the configuration
 */
export async function lookAtPlace(origin: string): Promise<FoundThere> {
  try {
    const response = await fetch(`${origin}/oauth/`, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) });
    const isOurs = response.headers.get('content-type')?.startsWith('text/html') === true && /<title>[^<]*\u00b7 toolledger<\/title>/.test(await response.text());
    if (!isOurs) return { kind: 'other', detail: `HTTP ${response.status}` };
    return response.status === 404 ? { kind: 'pages' } : { kind: 'other', detail: 'toolledger is asked under another name; have the proxy pass the Host header on' };
  } catch (error) {
    const code = causeOf(error);
    return code === 'ECONNREFUSED' ? { kind: 'nobody' } : { kind: 'other', detail: code };
  }
}

/** What `fetch` says went wrong: a code of the system, or a name of its own. */
function causeOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: unknown } };
  if (typeof cause?.code === 'string') return cause.code;
  return name === 'TimeoutError' ? 'no answer' : 'not HTTP';
}
