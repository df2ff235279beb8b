import { judgeFetch, type FetchVerdict } from '../../../platform/net/fetchGate.js';
import type { JsonObject } from '../../../platform/json.js';
import { standsInFor } from '../../availability/world.js';
import type { Refusal } from '../begin/judged.js';
import type { DispatchParts } from '../parts.js';
import { urlArguments } from './urlArguments.js';
import { within } from '../../../platform/time/within.js';

/** Most URLs that one call may bring: each may have to be resolved. */
const maxUrls = 20;
const resolveMs = 5_000;

/**
 * Judges the URLs in a call of a server that stands in for the product's own search or fetch: what the product would
 * not fetch, it does not let others fetch in its place.
 * @param kind of the server
 * @returns null when nothing speaks against the call
 */
export async function judgeUrlArguments(
  kind: string | null,
  args: JsonObject,
  inputSchema: JsonObject,
  { resolve, schedule }: Pick<DispatchParts, 'resolve' | 'schedule'>,
): Promise<Refusal | null> {
  if (kind === null || standsInFor(kind) === null) return null;
  const urls = urlArguments(args, inputSchema);
  if (urls.length > maxUrls) return { reasons: ['url_too_many'], detail: `The arguments hold ${urls.length} URLs; at most ${maxUrls} are allowed.` };
  const verdicts = await within(Promise.all(urls.map((url) => judgeFetch(url, resolve))), resolveMs, schedule);
  if (verdicts === null) return { reasons: ['url_unresolved'] };
  const bad = verdicts.find((verdict): verdict is FetchVerdict & { readonly ok: false } => !verdict.ok);
  return bad === undefined ? null : { reasons: [bad.code], detail: bad.message };
}
