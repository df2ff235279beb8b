import { z } from 'zod';
import { Fault } from '../../platform/fault.js';
import type { CallConditions } from '../../projections/toolCallLog/queries.js';
import type { Views } from '../../projections/views.js';
import type { People } from '../services.js';
import { callOutcomes, iso, workspaceId } from '../words.js';
import { subjectFilter } from './subjectFilter.js';

const word = z.string().max(1_000);

/** What calls can be found by, as people give it. */
export const callConditions = {
  /** Milliseconds since the epoch, inclusive. */
  since: z.int().optional(),
  /** Milliseconds since the epoch, exclusive. */
  until: z.int().optional(),
  workspace: workspaceId.unwrap().optional(),
  channel: word.optional(),
  /** A person's id as the chat service gives it. */
  user: word.optional(),
  /** The id that stands for a person in the ledger. */
  subject: z.guid('a subject is a UUID, as `audit show` prints it').optional(),
  tool: word.optional(),
  server: word.optional(),
  outcome: z.enum(callOutcomes).optional(),
  reason: word.optional(),
  text: z.string().optional(),
};

/** In answers: false when the filter named a person nobody ever met, or who was erased, so that nothing can match. */
export const personKnown = z.boolean();

/** In answers: false when the filter named a workspace that was never opened and in which nobody ever called. */
export const workspaceKnown = z.boolean();

/** Whether anything can be found in the workspace that the conditions name; calls are refused, on record, in one that was never opened. */
export async function knowsWorkspace(views: Pick<Views, 'query'>, { workspace }: CallConditions): Promise<boolean> {
  if (workspace === undefined) return true;
  const { state } = await views.query('toolRegistry', { workspace });
  return state !== 'unknown' || (await views.query('countCalls', { workspace })) > 0;
}

/** In answers: refusals that were only counted and would match; `complete`: false when there are more. Null where only a call can match. */
export const countedRefusals = z.object({ total: z.int(), complete: z.boolean() }).nullable();

type Given = { readonly user?: string | undefined } & { readonly [Name in keyof CallConditions]?: CallConditions[Name] | undefined };

/**
 * The conditions as the views take them.
 * @returns null when they name a person nobody ever met, so that nothing can match
 * @throws Fault `empty_time_range`, `two_people_named`
 */
export async function conditionsOf(people: People, { user, subject, ...given }: Given): Promise<CallConditions | null> {
  if (given.since !== undefined && given.until !== undefined && given.since >= given.until) {
    throw new Fault('usage', 'empty_time_range', `Nothing can be at or after ${iso(given.since)} and before ${iso(given.until)}; swap --since and --until.`);
  }
  const who = await subjectFilter(people, { user, subject });
  return who === 'nobody' ? null : withoutUndefined({ ...given, subject: who });
}

type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Defined<T>;
}
