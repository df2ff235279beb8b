import { Fault } from '../../platform/fault.js';
import type { People } from '../services.js';

/**
 * The subject of a person by the chat service's id.
 * @throws Fault `person_unknown`
 */
export async function personNamed(people: People, user: string): Promise<string> {
  const subject = await people.findPerson(user);
  if (subject !== null) return subject;
  throw new Fault('failed', 'person_unknown', 'Nobody with this id is known here: nothing is kept of them, or they were erased. Nothing was recorded.');
}
