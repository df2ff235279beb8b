import { setImmediate as nextTurn } from 'node:timers/promises';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { OfferedTool, ToolListing } from '../../../tools/remoteTools.js';
import { modelName } from './alias.js';
import { RequestFault, type Connection } from '../connecting/connection.js';
import { cleanTextOf, type CleanText } from './cleanText.js';
import { readDefinition, shownName } from './definition.js';
import { readInstructions } from './instructions.js';
import type { ClientLimits } from '../limits.js';
import { schemaProblem } from '../schemas/schemasOf.js';

type Skipped = ToolListing['skipped'][number];

/** Most tools that are named as left out; what is beyond shows as one entry without a name. */
const maxSkipped = 128;

const methodNotFound = -32601;

/**
 * Lists a server's tools over all pages. A tool that cannot be used is left out and named, and never hides the others;
 * a list that does not end is cut where it repeats itself or reaches a limit.
 * @param secrets in use for the server at that moment, taken out of everything it says
 * @throws RequestFault when a page cannot be had, or is no page at all
 */
export async function listTools(connection: Connection, limits: ClientLimits, signal: AbortSignal, secrets: () => readonly string[]): Promise<ToolListing> {
  const deadline = AbortSignal.timeout(limits.listMs);
  const collected = new Collected(limits);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const { tools, nextCursor } = await requestPage(connection, cursor, limits.listMs, signal, deadline);
    // A page may have cost another token, and the page may hold it.
    const clean = cleanTextOf(secrets());
    const before = collected.size;
    for (const entry of tools) {
      // Compiling schemas takes a while; meanwhile others must have their turn, and the deadline must be able to pass.
      if (collected.add(entry, clean)) await nextTurn();
      if (deadline.aborted || signal.aborted) throw new RequestFault(true, signal.aborted ? 'cancelled' : 'timeout', null);
    }
    if (typeof nextCursor !== 'string') break;
    const stop = stopReason(page, cursors.has(nextCursor) || (tools.length > 0 && collected.size === before), collected.full, limits);
    if (stop !== null) {
      collected.note(stop);
      break;
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  return { ...collected.listing(), instructions: readInstructions(connection.instructions, cleanTextOf(secrets())) };
}

function stopReason(page: number, repeats: boolean, full: boolean, limits: ClientLimits): string | null {
  if (full) return 'too_many_tools';
  if (repeats) return 'list_repeats';
  return page >= limits.pages ? 'too_many_pages' : null;
}

interface Page {
  readonly tools: readonly unknown[];
  readonly nextCursor: unknown;
}

async function requestPage(connection: Connection, cursor: string | undefined, timeoutMs: number, signal: AbortSignal, deadline: AbortSignal): Promise<Page> {
  try {
    const result = await connection.request('tools/list', cursor === undefined ? {} : { cursor }, { timeoutMs, signal: AbortSignal.any([signal, deadline]) });
    const page = result as { readonly tools?: unknown; readonly nextCursor?: unknown };
    if (!Array.isArray(page.tools)) throw new RequestFault(true, 'protocol_error', null);
    return { tools: page.tools as readonly unknown[], nextCursor: page.nextCursor };
  } catch (error) {
    if (isNoToolsAtAll(error)) return { tools: [], nextCursor: undefined };
    if (deadline.aborted && !signal.aborted) throw new RequestFault(true, 'timeout', null);
    throw error;
  }
}

/** A server without tools need not know the method. */
function isNoToolsAtAll(error: unknown): boolean {
  return error instanceof RequestFault && error.cause instanceof McpError && error.cause.code === methodNotFound;
}

/** What was listed so far. */
class Collected {
  readonly #byName = new Map<string, OfferedTool>();
  readonly #clashing = new Set<string>();
  readonly #skipped = new Map<string, Skipped>();
  readonly #limits: ClientLimits;

  constructor(limits: ClientLimits) {
    this.#limits = limits;
  }

  /** How many different things were seen. */
  get size(): number {
    return this.#byName.size + this.#clashing.size + this.#skipped.size;
  }

  get full(): boolean {
    return this.#byName.size >= this.#limits.tools || this.#skipped.size >= maxSkipped;
  }

  /** @returns whether its schemas had to be looked at */
  add(entry: unknown, clean: CleanText): boolean {
    const read = readDefinition(entry, this.#limits.definitionBytes, clean);
    if (typeof read === 'string') {
      this.note(read, shownName(entry, clean));
      return false;
    }
    const name = modelName(read.definition.name);
    if (this.#clashing.has(name)) return false;
    const known = this.#byName.get(name);
    if (known !== undefined) {
      if (known.hash !== read.hash) this.#clash(name, entry, clean);
      return false;
    }
    if (this.#byName.size >= this.#limits.tools) {
      this.note('too_many_tools');
      return false;
    }
    const problem = schemaProblem(read.definition, read.hash);
    if (problem === null) this.#byName.set(name, { name, remoteName: read.definition.name, ...read });
    else this.note(problem, shownName(entry, clean));
    return true;
  }

  /** Nobody can say which of the two is meant. */
  #clash(name: string, entry: unknown, clean: CleanText): void {
    this.#byName.delete(name);
    this.#clashing.add(name);
    this.note('duplicate_name', shownName(entry, clean));
  }

  note(reason: string, name: string | null = null): void {
    const skipped: Skipped = this.#skipped.size < maxSkipped ? { name, reason } : { name: null, reason: 'too_many_skipped' };
    this.#skipped.set(JSON.stringify([skipped.name, skipped.reason]), skipped);
  }

  listing(): Omit<ToolListing, 'instructions'> {
    return { tools: [...this.#byName.values()], skipped: [...this.#skipped.values()] };
  }
}
