import { sealBox } from '../../events/box.js';
import { systemSubject, type NewEvent } from '../../events/envelope.js';
import type { Draft } from './draftEvent.js';
import type { KeyStore } from '../keyStore.js';

/**
 * Seals the personal values of a draft, one box for each person. The key store makes a key durable before it hands it
 * out. Values of an erased person, and of the system, which is no person, are dropped: nobody could open them.
 */
export async function sealPersonal(draft: Draft<unknown>, stream: string, keys: KeyStore): Promise<NewEvent> {
  const boxes: [subject: string, box: string][] = [];
  for (const { subject, values } of draft.personal) {
    const key = subject === systemSubject ? null : await keys.keyOf(subject);
    if (key !== null) boxes.push([subject, sealBox(key, { stream, eventId: draft.envelope.id, subject }, values)]);
  }
  return { boxes: boxes.length === 0 ? '' : JSON.stringify(boxes), ...draft.envelope };
}
