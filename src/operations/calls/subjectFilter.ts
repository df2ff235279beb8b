import { Fault } from '../../platform/fault.js';
import type { People } from '../services.js';

/**
 * Turns the two ways of naming a person into a filter.
 * @returns the subject id, undefined when nobody was named, or `nobody` when no such person is known
 * @throws Fault `two_people_named`
 */
export async function subjectFilter(
  people: People,
  named: { readonly user: string | undefined; readonly subject: string | undefined },
): Promise<string | undefined> {
  if (named.user === undefined) return named.subject;
  if (named.subject !== undefined) {
    throw new Fault('usage', 'two_people_named', 'Give --user (a chat id) or --subject (a ledger id), not both.');
  }
  return (await people.findPerson(named.user)) ?? 'nobody';
}
