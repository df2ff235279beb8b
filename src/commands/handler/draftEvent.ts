import type { z } from 'zod';
import { Fault } from '../../platform/fault.js';
import type { JsonObject } from '../../platform/json.js';
import type { Catalogue } from '../../events/catalogue/catalogue.js';
import { schemasOf } from '../../events/catalogue/schemas.js';
import type { NewEvent } from '../../events/envelope.js';
import type { EventPlace, PersonalValues, Proposed } from '../decider.js';

/** An event that is decided and not yet sealed and appended. */
export interface Draft<Event> {
  /** As it will be read back. */
  readonly event: Event;
  readonly envelope: Omit<NewEvent, 'boxes'>;
  readonly personal: readonly PersonalValues[];
}

/** What a proposed event gets from outside: everything but type, version and data. */
export type DraftHeader = Omit<NewEvent, 'type' | 'version' | 'data' | 'boxes'>;

/**
 * Gives a proposed event its envelope and checks it against the catalogue, so that a mistake in a decider never
 * reaches the ledger.
 * @throws Fault `invalid_event` naming type and place, never a value
 */
export function draftEvent<Event extends { readonly type: string }>(
  catalogue: Catalogue,
  proposed: Proposed<Event>,
  header: DraftHeader,
): Draft<Event> {
  const { type, data, personal = [] } = proposed as Proposed<{ readonly type: string; readonly data?: JsonObject }>;
  const known = catalogue.typeNamed(type);
  if (known === undefined) throw invalid(type, 'the catalogue has no such type');
  const schemas = schemasOf(known);
  check(schemas.data, data, type, 'data');
  const subjects = new Set<string>();
  for (const { subject, values } of personal) {
    if (subjects.has(subject)) throw invalid(type, 'one person has two sets of personal values');
    subjects.add(subject);
    if (schemas.personal === null) throw invalid(type, 'this type has no personal values');
    check(schemas.personal, values, type, 'personal values');
  }
  const text = JSON.stringify(data);
  return {
    event: { type, data: JSON.parse(text) as JsonObject } as unknown as Event,
    // Own fields first: Node 20 adds a field after a spread some hundred times slower than before it.
    envelope: { type, version: known.version, data: text, ...header },
    personal,
  };
}

/** Where a draft lies once it is appended. */
export function placeOf(draft: Draft<unknown>, stream: string, revision: number, recordedAt: number): EventPlace {
  return { stream, revision, recordedAt, ...draft.envelope };
}

function check(schema: z.ZodType, content: unknown, type: string, part: string): void {
  const issue = schema.safeParse(content).error?.issues[0];
  if (issue === undefined) return;
  throw invalid(type, `its ${part} break the schema at "${issue.path.join('.')}" (${issue.code})`);
}

function invalid(type: string, problem: string): Fault {
  return new Fault(
    'failed',
    'invalid_event',
    `A ${type} event was not recorded: ${problem}. This is a mistake in toolledger; please report it.`,
    { type, problem },
  );
}
